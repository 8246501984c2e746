//! A reply is lost: the operation is listed as needing attention, an operator retries it, and it
//! completes.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation, Order } from '@holdfast/sdk';
import type { Locator } from 'playwright-core';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

/** More than the release needs, because other orders submit to the network meanwhile. */
const LOST = '5';
const DEAF = '500';
/** Long enough that a manual retry comes before the next automatic attempt. */
const PAUSE_MS = 6_000;

export async function stuckOperation(environment: Environment): Promise<() => Promise<void>> {
  const order = await environment.order('A telescope', '80.00');
  const [adam, sam] = [await environment.at('adam'), await environment.at('sam')];
  return () => run(environment, { adam, sam }, order);
}

interface People {
  readonly adam: Operator;
  readonly sam: Operator;
}

async function run(environment: Environment, { adam, sam }: People, order: Order): Promise<void> {
  await adam.go('/lab');
  await arm(adam, 'Blockchain: submit', 'drop-after', LOST);
  await arm(adam, 'Blockchain: lookup', 'error-before', DEAF);
  const { ok } = await environment.holdfast.orders.release(order.id).result();
  assert.equal(ok, false, 'the release must have an unknown outcome');
  const [operation] = await environment.holdfast.operations
    .list({ resourceId: order.id, status: 'RUNNING' })
    .toArray(1);
  assert.ok(operation?.isUnknown, 'its outcome is unknown');

  await openOnTop(sam, operation);
  // The faults are cleared just before the retry, so that the provider replies to it.
  await sam.act(sam.button('Retry now'), 'Retry', async () => {
    await untilLaterTry(environment, operation.id);
    await adam.act(adam.button('Clear all faults'), 'Clear all faults');
    await adam.page.getByText('No active faults').first().waitFor();
  });
  await unknownNote(sam).waitFor({ state: 'detached' });
  await sam.page.getByText('Done', { exact: true }).first().waitFor();
  const { closeReason } = await environment.holdfast.orders.waitFor(order.id, 'CLOSED');
  assert.equal(closeReason, 'RELEASED');
}

async function arm(adam: Operator, call: string, fault: string, times: string): Promise<void> {
  await adam.act(adam.button('Add fault'), 'Add fault', async (dialog) => {
    await adam.choose(dialog, 'Provider call', call);
    await adam.choose(dialog, 'Fault', fault);
    await dialog.getByRole('textbox', { name: 'Number of calls' }).fill(times);
  });
  const [, name = ''] = call.split(': ');
  await adam.page.getByRole('row').filter({ hasText: name }).filter({ hasText: fault }).waitFor();
}

async function openOnTop(sam: Operator, { id }: Operation): Promise<void> {
  await sam.go('/operations');
  const needing = sam.page.getByRole('region', { name: 'Operations that need attention' });
  const row = needing.getByRole('row').filter({ hasText: id });
  await row.getByText('Outcome unknown').waitFor();
  await row.getByRole('link', { name: id }).click();
  await unknownNote(sam).waitFor();
}

/** The message on the operation's page; its badge has the same words. */
function unknownNote({ page }: Operator): Locator {
  return page.getByRole('status').filter({ hasText: 'Outcome unknown' });
}

async function untilLaterTry({ holdfast }: Environment, id: string): Promise<void> {
  for (;;) {
    const { nextTryAt } = await holdfast.operations.get(id);
    if (nextTryAt !== null && Date.parse(nextTryAt) - Date.now() > PAUSE_MS) return;
    await sleep(250);
  }
}
