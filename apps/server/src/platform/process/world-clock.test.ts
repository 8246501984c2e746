import { expect, it } from 'vitest';
import { useSandbox } from '../../testing/sandbox.ts';
import { eventually } from '../../testing/until.ts';
import { trackWorldClock } from './world-clock.ts';

const sandbox = useSandbox();

it('is later when the sandbox is set forward', async () => {
  const clock = await trackWorldClock(sandbox.url);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  await sandbox.advance(3600);
  await eventually(5000, () => expect(clock.now() - Date.now()).toBeGreaterThan(3_590_000));
});

it('keeps its last offset while the sandbox is unavailable', async () => {
  const clock = await trackWorldClock('http://127.0.0.1:1');
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
});
