//! Nobody kills while another takes long; one that has just begun keeps nobody waiting.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { calmAmongCells } from './calm.ts';

const PATIENCE_MS = 40;

it('waits for a cell that takes long, until it rests', async () => {
  const calm = calmAmongCells(PATIENCE_MS);
  const rest = calm.begin();
  await calm.wait();
  expect(calm.waits()).toBe(0);
  await sleep(2 * PATIENCE_MS);
  let isOver = false;
  const waiting = calm.wait().then(() => {
    isOver = true;
  });
  await sleep(4 * PATIENCE_MS);
  expect(isOver).toBe(false);
  rest();
  await waiting;
  expect(calm.waits()).toBe(1);
  await calm.wait();
  expect(calm.waits()).toBe(1);
});
