import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findHost, ofGrace, ofLinkVariables, ofSecretFiles } from './check-host.ts';

it.each([
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, true, 'Kubernetes'],
  [{ CREDENTIALS_DIRECTORY: '/run/credentials/x' }, false, 'systemd'],
  [{}, true, 'the image'],
  [{}, false, 'no host of its own'],
] as const)('the host of a process with %j, in the image: %s, is %s', (settings, isImage, host) => {
  expect(findHost(settings, () => isImage)).toBe(host);
});

it('names a secret file that is missing or empty, and none that has a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  const settings = { HOLDFAST_TOKEN_SECRET_FILE: path };
  expect(ofSecretFiles(settings)).toMatchObject({
    fault: 'secret-file',
    message: `HOLDFAST_TOKEN_SECRET_FILE names ${path}, which does not exist`,
  });
  writeFileSync(path, '');
  expect(ofSecretFiles(settings)).toMatchObject({ message: expect.stringMatching(/is empty$/) });
  writeFileSync(path, 'secret');
  expect(ofSecretFiles(settings)).toBeUndefined();
});

it('distinguishes a variable of a service from a setting', () => {
  expect(ofLinkVariables({ HOLDFAST_PORT: 'tcp://10.0.0.1:4400' })).toMatchObject({
    fault: 'service-links',
  });
  expect(
    ofLinkVariables({ HOLDFAST_PORT: '4400', OTHER_PORT: 'tcp://10.0.0.1:1' }),
  ).toBeUndefined();
});

it('reports a host that kills the process before it can have ended', () => {
  expect(ofGrace({}, 40)).toMatchObject({ fault: 'short-grace' });
  expect(ofGrace({}, 45)).toBeUndefined();
  expect(ofGrace({ HOLDFAST_SHUTDOWN_MS: '50000' }, 45)).toMatchObject({ fault: 'short-grace' });
  expect(ofGrace({}, undefined)).toBeUndefined();
});
