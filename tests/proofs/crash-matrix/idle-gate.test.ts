//! A crash waits while another cell takes long, and does not wait for a cell that just started.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openIdleGate, PATIENCE_MS } from './idle-gate.ts';

it('waits for a cell that takes long, until it has ended', async () => {
  let now = 0;
  const idleGate = openIdleGate(() => now);
  const rest = idleGate.start();
  await idleGate.wait();
  expect(idleGate.waits()).toBe(0);
  now = PATIENCE_MS + 1;
  let isOver = false;
  const waiting = idleGate.wait().then(() => {
    isOver = true;
  });
  await sleep(150);
  expect(isOver).toBe(false);
  rest();
  await waiting;
  expect(idleGate.waits()).toBe(1);
  await idleGate.wait();
  expect(idleGate.waits()).toBe(1);
});

it('lets a cell that takes long run alone', async () => {
  const gate = openIdleGate();
  const end = gate.start();
  const order: string[] = [];
  const long = gate.wait(true).then(() => {
    order.push('long');
    return gate.start(true);
  });
  const other = gate.wait().then(() => order.push('other'));
  await sleep(150);
  expect(order).toEqual([]);
  end();
  const endLong = await long;
  await sleep(150);
  expect(order).toEqual(['long']);
  endLong();
  await other;
  expect(order).toEqual(['long', 'other']);
});
