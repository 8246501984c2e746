import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startWatch } from './testing/machine-time.ts';
import { descendants, leftAfter, signalAll } from './testing/processes.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const READY_MS_MAX = 90_000;
const STOP_MS_MAX = 10_000;
const TEST_MS_MAX = READY_MS_MAX + 2 * STOP_MS_MAX;

interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  readonly ready: () => Promise<Record<string, unknown>>;
}

function startDev(...args: readonly string[]): Running {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-dev-'));
  const { HOLDFAST_DEV_POSTGRES: _, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--conditions=@holdfast/source',
      MAIN,
      'dev',
      '--postgres',
      'embedded',
      '--port',
      '0',
      ...args,
    ],
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [output, noise] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    noise += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const ready = async () => {
    const deadline = performance.now() + READY_MS_MAX;
    while (!output.includes('\n')) {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(noise);
      await sleep(100);
    }
    return JSON.parse(output) as Record<string, unknown>;
  };
  return { child, folder, output: () => output, ended, ready };
}

test(
  'one line when ready; a signal ends everything that it started',
  async () => {
    const dev = startDev('--json');
    const ready = await dev.ready();
    expect(Object.keys(ready)).toEqual([
      'ready',
      'api',
      'sandbox',
      'masterKey',
      'apiKey',
      'marketplaceId',
      'surfaceBMarketplaceId',
      'paymentWebhookSecret',
      'escrowWebhookSecret',
      'console',
      'operators',
    ]);
    expect(existsSync(join(dev.folder, '.holdfast/dev.json'))).toBe(true);
    const started = descendants(dev.child.pid as number);
    // PostgreSQL, Restate, sandbox, api and worker.
    expect(started.length).toBeGreaterThanOrEqual(5);
    const ran = await startWatch();
    dev.child.kill('SIGTERM');
    expect(await dev.ended).toBe(0);
    expect(ran()).toBeLessThan(STOP_MS_MAX);
    expect(await leftAfter(500, started)).toEqual([]);
    expect(dev.output().trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(join(dev.folder, '.holdfast'))).toEqual(['.gitignore', 'listen']);
  },
  TEST_MS_MAX,
);

test(
  'a second signal kills at once the processes that have not ended',
  async () => {
    const dev = startDev('--json');
    await dev.ready();
    const started = descendants(dev.child.pid as number);
    signalAll(started, 'SIGSTOP');
    dev.child.kill('SIGINT');
    // The same Ctrl-C, passed on by npm: not a second one.
    dev.child.kill('SIGINT');
    await sleep(1500);
    expect(dev.child.exitCode).toBeNull();
    const ran = await startWatch();
    dev.child.kill('SIGINT');
    expect(await dev.ended).toBe(130);
    // Without it the processes would have 9 s.
    expect(ran()).toBeLessThan(4000);
    signalAll(started, 'SIGCONT');
    expect(await leftAfter(3000, started)).toEqual([]);
  },
  TEST_MS_MAX,
);

// At the first one the others are being started.
test.each([1, 3])(
  'a signal during the start ends everything, with %i of the processes there',
  async (count) => {
    const dev = startDev('--json');
    const ran = await startWatch();
    let started: readonly number[] = [];
    while (started.length < count) {
      await sleep(1);
      started = descendants(dev.child.pid as number);
    }
    const startMs = ran();
    dev.child.kill('SIGTERM');
    expect(await dev.ended).toBe(0);
    expect(ran() - startMs).toBeLessThan(STOP_MS_MAX);
    expect(await leftAfter(500, started)).toEqual([]);
    expect(dev.output()).toBe('');
  },
  TEST_MS_MAX,
);
