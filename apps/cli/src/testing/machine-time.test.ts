import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWatch } from './machine-time.ts';

test('counts while this thread waits, and while it is busy', async () => {
  const waited = await startWatch();
  await expect.poll(waited, { interval: 20, timeout: 10_000 }).toBeGreaterThan(100);
  const worked = await startWatch();
  const until = performance.now() + 10_000;
  while (worked() <= 100 && performance.now() < until);
  expect(worked()).toBeGreaterThan(100);
});

const STANDS_STILL_MS = 1500;

test('does not count while nothing runs', async () => {
  const script = `
    import { startWatch } from ${JSON.stringify(new URL('./machine-time.ts', import.meta.url).href)};
    const ran = await startWatch();
    process.stdout.write('started ');
    process.stdin.once('data', () => {
      process.stdout.write(String(ran()));
      process.exit();
    });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script]);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  await once(child.stdout, 'data');
  const before = performance.now();
  child.kill('SIGSTOP');
  await sleep(STANDS_STILL_MS);
  child.stdin.write('?');
  child.kill('SIGCONT');
  await once(child, 'exit');
  const passed = performance.now() - before;
  const counted = Number(output.split(' ')[1]);
  expect(counted).toBeGreaterThanOrEqual(0);
  expect(counted).toBeLessThan(passed - STANDS_STILL_MS / 2);
});
