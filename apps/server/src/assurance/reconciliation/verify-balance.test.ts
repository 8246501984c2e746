import type { UserId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { creditDeposits } from '../../payments/deposits/credit-deposits.ts';
import {
  completeAll,
  escrowOrderIn,
  openEscrowWorld,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { runMirror } from '../../testing/mirror.ts';
import { snapshotDatabase } from '../../testing/orders.ts';
import { addressOf } from '../../testing/sandbox-world.ts';

const { world, market } = useEscrowWorld();

async function holder(credit?: string): Promise<{ id: UserId; address: string }> {
  const id = await market.user();
  await world.runWorker();
  if (credit !== undefined)
    await market.send('POST', `/users/${id}/balance/credit`, { body: { amount: credit } });
  return { id, address: await addressOf(world, id) };
}

async function verify(id: UserId, currency = 'USD') {
  const { status, json } = await market.send(
    'GET',
    `/users/${id}/balance/verify?currency=${currency}`,
  );
  expect(status).toBe(200);
  return json.data.data;
}

/** isValid, difference, inFlight, dust. */
async function summaryOf(id: UserId, currency = 'USD') {
  const { isValid, difference, inFlight, dust } = await verify(id, currency);
  return `${isValid} ${difference} ${inFlight} ${dust}`;
}

it('returns both sides, and a transfer in flight explains the difference', async () => {
  const { id, address } = await holder('15.00');
  const before = await snapshotDatabase(world);
  expect(await verify(id)).toMatchObject({
    isValid: true,
    offChainBalance: { total: '15.00', currency: 'USD' },
    onChainBalance: { address, balance: '0.0000000', asset: 'USDC' },
    difference: '15.0000000',
    inFlight: '15.0000000',
    dust: '0.0000000',
  });
  expect(await snapshotDatabase(world)).toEqual(before);
  expect(await runMirror(world, world.custody)).toBe(0);
  expect(await summaryOf(id)).toBe('true 0.0000000 0.0000000 0.0000000');
  await market.send('POST', `/users/${id}/balance/debit`, { body: { amount: '5.00' } });
  expect(await summaryOf(id)).toBe('true -5.0000000 -5.0000000 0.0000000');
});

it('combines USD and USDC, and treats XLM separately', async () => {
  const { id, address } = await holder('15.00');
  const body = { amount: '5.00', currency: 'USDC' };
  await market.send('POST', `/users/${id}/balance/credit`, { body });
  await runMirror(world, world.custody);
  const usdc = await verify(id, 'USDC');
  expect(usdc.offChainBalance.total).toBe('5.00');
  expect(usdc.onChainBalance).toEqual({ address, balance: '20.0000000', asset: 'USDC' });
  expect(usdc.difference).toBe('0.0000000');
  expect(await summaryOf(id, 'XLM')).toBe('true 0.0000000 0.0000000 0.0000000');
});

it('counts an uncredited deposit as in transit, and then its dust', async () => {
  const { id, address } = await holder('10.00');
  await runMirror(world, world.custody);
  await world.sandbox.deposit(address, 'USDC', '2.0050001');
  expect(await summaryOf(id)).toBe('true -2.0050001 -2.0050001 0.0000000');
  await creditDeposits(world.custody);
  expect(await summaryOf(id)).toBe('true -0.0050001 0.0000000 0.0050001');
  await runMirror(world, world.custody);
  expect(await summaryOf(id)).toBe('true -0.0050001 0.0000000 0.0050001');
});

it('stays valid through an order’s whole life', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS', { funds: '130.00' });
  for (const id of [order.buyerId, order.sellerId]) expect(await summaryOf(id)).toMatch(/^true/);
  await completeAll(world, market, order);
  await releaseOrder(world.app, market.call, order.id);
  for (const id of [order.buyerId, order.sellerId]) expect(await summaryOf(id)).toMatch(/^true/);
  await runMirror(world, world.custody);
  for (const id of [order.buyerId, order.sellerId])
    expect(await summaryOf(id)).toBe('true 0.0000000 0.0000000 0.0000000');
});

it.each([
  ['more', 'USDC', 'false -0.0000001 0.0000000 0.0000000'],
  ['less', 'USDC', 'false 0.0000001 0.0000000 0.0000000'],
  ['more', 'XLM', 'false -0.0000001 0.0000000 0.0000000'],
] as const)(
  'is not valid with a stroop %s of %s than anything explains',
  async (direction, asset, expected) => {
    const { id, address } = await holder('10.00');
    await runMirror(world, world.custody);
    await world.sandbox.control('POST', '/ledger/drift', {
      address,
      asset,
      amount: '0.0000001',
      direction,
    });
    expect(await summaryOf(id, asset)).toBe(expected);
  },
);

it('reports a failure when the network does not reply', async () => {
  const { id } = await holder('10.00');
  const silent = await openEscrowWorld();
  try {
    const there = await silent.market();
    const user = await there.user();
    await silent.runWorker();
    await silent.sandbox.stop();
    const { status, json } = await there.send('GET', `/users/${user}/balance/verify`);
    expect([status, json.error.code]).toEqual([500, 'VERIFICATION_FAILED']);
    const synced = await there.send('POST', `/users/${user}/balance/sync`);
    expect([synced.status, synced.json.error.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
  } finally {
    await silent.close().catch(() => undefined);
  }
  expect(await summaryOf(id)).toMatch(/^true/);
});
