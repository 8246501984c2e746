import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aReadiness } from '../testing/readiness.ts';
import { checkAlone, checkPort } from './check-start.ts';
import { prepareFolder, writeDevState } from './state-file.ts';

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  prepareFolder(folder);
  return folder;
}

function runningAt(folder: string, port: number): void {
  const ready = aReadiness(`http://127.0.0.1:${port}`);
  writeDevState(folder, { ready, settings: {} });
}

test('a taken port is named with its fix', async () => {
  const port = await takenPort();
  await expect(checkPort(port, emptyFolder())).rejects.toMatchObject({
    message: `port ${port} is already in use`,
    code: 'PORT_TAKEN',
    exit: 'usage',
    fix: 'stop the program on that port, or use any free port: holdfast dev --port 0',
  });
});

test('a port in use by holdfast dev in this folder is reported as such', async () => {
  const port = await takenPort();
  const folder = emptyFolder();
  runningAt(folder, port);
  await expect(checkPort(port, folder)).rejects.toMatchObject({
    message: `port ${port} is already in use by \`holdfast dev\` in this folder (process ${process.pid})`,
    fix: 'use that server, or stop it first',
  });
});

test('port 0, which means any free port, is never in use', async () => {
  await expect(checkPort(0, emptyFolder())).resolves.toBeUndefined();
});

test('a second holdfast dev in the same folder is refused', () => {
  const folder = emptyFolder();
  expect(() => checkAlone(folder)).not.toThrow();
  runningAt(folder, 4400);
  expect(() => checkAlone(folder)).toThrow(
    '`holdfast dev` is already running in this folder, at http://127.0.0.1:4400',
  );
});
