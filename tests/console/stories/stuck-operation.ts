//! An answer is lost: the operation stands on top, the provider is asked, and it ends.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation, Order } from '@holdfast/sdk';
import type { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

/** More than the release needs: others send to the network meanwhile. */
const LOST = '5';
const DEAF = '500';
/** Long enough that whoever asks now is faster than the next try. */
const PAUSE_MS = 6_000;

export async function stuckOperation(stage: Stage): Promise<() => Promise<void>> {
  const order = await stage.order('A telescope', '80.00');
  const [adam, sam] = [await stage.at('adam'), await stage.at('sam')];
  return () => play(stage, { adam, sam }, order);
}

interface People {
  readonly adam: Operator;
  readonly sam: Operator;
}

async function play(stage: Stage, { adam, sam }: People, order: Order): Promise<void> {
  await adam.go('/lab');
  await arm(adam, 'ledger submit', 'drop-after', LOST);
  await arm(adam, 'ledger lookup', 'error-before', DEAF);
  const { ok } = await stage.holdfast.orders.release(order.id).result();
  assert.equal(ok, false, 'nobody knows yet whether it was released');
  const [operation] = await stage.holdfast.operations
    .list({ resourceId: order.id, status: 'RUNNING' })
    .toArray(1);
  assert.ok(operation?.isUnknown, 'its outcome is unknown');

  await openOnTop(sam, operation);
  // The provider hears again a moment before it is asked.
  await sam.act(sam.button('Ask the provider now'), 'Ask now', async () => {
    await untilLaterTry(stage, operation.id);
    await adam.act(adam.button('Disarm all'), 'Disarm all');
    await adam.page.getByText('No fault is armed').first().waitFor();
  });
  await sam.page.getByText('The outcome is not known').waitFor({ state: 'detached' });
  await sam.page.getByText('Done', { exact: true }).first().waitFor();
  const { closeReason } = await stage.holdfast.orders.waitFor(order.id, 'CLOSED');
  assert.equal(closeReason, 'RELEASED');
}

async function arm(adam: Operator, step: string, fault: string, times: string): Promise<void> {
  await adam.act(adam.button('Arm a fault'), 'Arm it', async (dialog) => {
    await adam.choose(dialog, 'Step', step);
    await adam.choose(dialog, 'Fault', fault);
    await dialog.getByRole('textbox', { name: 'Times' }).fill(times);
  });
  const [, name = ''] = step.split(' ');
  await adam.page.getByRole('row').filter({ hasText: name }).filter({ hasText: fault }).waitFor();
}

async function openOnTop(sam: Operator, { id }: Operation): Promise<void> {
  await sam.go('/operations');
  const needing = sam.page.getByRole('region', { name: 'Operations that need a person' });
  const row = needing.getByRole('row').filter({ hasText: id });
  await row.getByText('Outcome unknown').waitFor();
  await row.getByRole('link', { name: id }).click();
  await sam.page.getByText('The outcome is not known').waitFor();
}

async function untilLaterTry({ holdfast }: Stage, id: string): Promise<void> {
  for (;;) {
    const { nextTryAt } = await holdfast.operations.get(id);
    if (nextTryAt !== null && Date.parse(nextTryAt) - Date.now() > PAUSE_MS) return;
    await sleep(250);
  }
}
