import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { ConfigurationFault, readConfig } from '../config/config.ts';
import { failpoint, watchFailpoints } from './failpoint.ts';

const world = useOpened(openSandboxWorld);
afterEach(() => watchFailpoints(undefined));

const script = (armed: string) => `
  import { armFailpoint, failpoint } from ${JSON.stringify(new URL('failpoint.ts', import.meta.url).href)};
  process.on('exit', () => process.stdout.write('exit'));
  armFailpoint(${JSON.stringify(armed)});
  failpoint('toy:one:after-send');
  process.stdout.write('alive');`;
const run = (armed: string) =>
  spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script(armed)], {
    encoding: 'utf8',
  });

it('kills the process at the named crash point, and nowhere else', () => {
  expect(run('toy:one:after-send')).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(run('toy:one:before-send')).toMatchObject({ status: 0, stdout: 'aliveexit' });
});

it('kills the process that works for an owner named in a folder, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-failpoints-'));
  const work = `
    import { armFailpoint, failpoint, passFor } from ${JSON.stringify(new URL('failpoint.ts', import.meta.url).href)};
    armFailpoint(${JSON.stringify(folder)});
    failpoint('toy:two:after-send');
    const pass = async () => { for (const name of ['one', 'two']) failpoint('toy:' + name + ':after-send'); };
    await passFor(['../../elsewhere'], pass);
    await passFor([], pass);
    await passFor(['other'], pass);
    await passFor(['third', 'mine'], async () => { await null; await pass(); });
    process.stdout.write('alive');`;
  const runWork = () =>
    spawnSync(process.execPath, ['--input-type=module-typescript', '-e', work], {
      encoding: 'utf8',
    });
  writeFileSync(join(folder, 'mine'), 'toy:two:after-send');
  expect(runWork()).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(runWork()).toMatchObject({ status: 0, stdout: 'alive' });
  const both = 'toy:one:after-send\ntoy:two:after-send\n';
  expect(readFileSync(join(folder, 'mine.passed'), 'utf8')).toBe(both + both);
  expect(readdirSync(folder).sort()).toEqual(['mine.passed', 'other.passed', 'third.passed']);
  rmSync(folder, { recursive: true });
});

it('does nothing when no watcher is set', () => {
  expect(() => failpoint('toy:one:after-send')).not.toThrow();
});

it.each(['toy:one:after-send', '/tmp/places'])('cannot be set in production: %s', (crashPoint) => {
  const env = { NODE_ENV: 'production', HOLDFAST_FAILPOINT: crashPoint };
  expect(() => readConfig(env, 'worker')).toThrow(ConfigurationFault);
  expect(() => readConfig(env, 'worker')).toThrow(
    /HOLDFAST_FAILPOINT is not allowed in production/,
  );
});

it('is set around signing, storing, sending and the reply', async () => {
  const market = await world.market();
  await market.user();
  const crashPoints: string[] = [];
  watchFailpoints((name) => crashPoints.push(name));
  await world.runWorker();
  expect(crashPoints).toEqual([
    'envelope:before-sign',
    'envelope:after-sign',
    'envelope:after-persist',
    'envelope:before-send',
    'envelope:after-send',
    'envelope:after-reply',
  ]);
});
