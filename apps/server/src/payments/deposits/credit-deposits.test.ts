import { Operation } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { done } from '../../providers/outcome.ts';
import { availableOf, type Holder, type HolderOptions, holderIn } from '../../testing/deposits.ts';
import { auditBooks, openEscrowWorld, useEscrowWorld } from '../../testing/escrows.ts';
import {
  muxedOf,
  openExternalAccount,
  openExternalPayer,
  usdcOf,
} from '../../testing/external-payer.ts';
import { useOpened } from '../../testing/use-world.ts';
import { creditDepositsOf } from './address-deposits.ts';
import { creditDeposits, readFeed } from './credit-deposits.ts';
import { creditPayments } from './crediting.ts';
import { findExternalPayments } from './external-payments.ts';
import { findCursor } from './network-cursor.ts';

const { world, market } = useEscrowWorld();
const payer = useOpened(() => openExternalPayer(world));

const holder = (options?: HolderOptions) => holderIn(world, market, options);
const available = (user: Holder, currency?: string) => availableOf(market, user, currency);

async function dustOf(user: Holder): Promise<string> {
  const [row] = await world.rows<{ dust: string }>(
    `select dust_stroops as dust from wallet_mirror where user_id = $1 and asset = 'USDC'`,
    [user.id],
  );
  return row?.dust ?? '0';
}

const deposits = (user: Holder) =>
  world.rows<{ stroops: string; amount: string; dust_stroops: string }>(
    `select stroops, amount, dust_stroops from deposit where user_id = $1 order by operation_id`,
    [user.id],
  );

describe('a deposit', () => {
  it.each([
    ['USDC', 'USD', 'USD'],
    ['USDC', 'USDC', 'USDC'],
    ['XLM', 'USD', 'XLM'],
  ] as const)('of %s, of a user who holds %s, credits %s', async (asset, chosen, credited) => {
    const user = await holder({ depositCurrency: chosen });
    await world.sandbox.deposit(user.address, asset, '25.00');
    expect(await creditDeposits(world.custody)).toBe(1);
    expect(await available(user, credited)).toBe('25.00');
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await available(user, credited)).toBe('25.00');
  });

  it('by the merge of an account credits its XLM once, by each way of reading', async () => {
    const [user, other] = [await holder(), await holder()];
    for (const { address: destination } of [user, other]) {
      const account = await openExternalAccount(world, '25.5');
      await account.send(Operation.accountMerge({ destination }));
    }
    const outsider = await openExternalAccount(world, '5');
    await (await openExternalAccount(world, '5')).send(
      Operation.accountMerge({ destination: outsider.address }),
    );
    expect(await creditDepositsOf(world.custody, user.address)).toEqual(done(1));
    expect(await creditDeposits(world.custody)).toBe(1);
    // Its fee of 100 stroops was paid by the account that is gone.
    for (const one of [user, other]) {
      expect(await deposits(one)).toMatchObject([{ stroops: '254999900', amount: '2549' }]);
      expect(await available(one, 'XLM')).toBe('25.49');
    }
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await auditBooks(world)).toEqual([]);
  });

  it('has an event, an audit row and a line in the wallet’s own list, under one id', async () => {
    const user = await holder();
    await payer.pay(user.address, '12.34');
    await creditDeposits(world.custody);
    await world.sequence();
    const lines = await market.send('GET', `/users/${user.id}/wallet/transactions`);
    const [line] = lines.json.data.data;
    expect(line).toMatchObject({
      direction: 'IN',
      kind: 'payment',
      amount: '12.3400000',
      counterparty: payer.address,
    });
    const [event] = await world.rows<{ payload: unknown }>(
      `select payload from event where aggregate_id = $1 and event_type = 'balance.credited'`,
      [user.id],
    );
    expect(event?.payload).toEqual({
      userId: user.id,
      amount: '12.34',
      currency: 'USD',
      source: 'deposit',
      sourceId: line.id,
      previousAvailableBalance: '0.00',
      newAvailableBalance: '12.34',
    });
    const logs = await market.send(
      'GET',
      `/audit/logs?resourceId=${user.id}&action=DEPOSIT_CREDITED`,
    );
    expect(logs.json.data.data).toMatchObject([
      {
        actorType: 'SYSTEM',
        result: 'SUCCESS',
        after: { available: '12.34', amount: '12.34', reference: line.id },
      },
    ]);
  });

  it('of a user who is not active is still credited', async () => {
    const user = await holder();
    await world.rows(`update users set status = 'SUSPENDED' where id = $1`, [user.id]);
    await payer.pay(user.address, '3');
    expect(await creditDeposits(world.custody)).toBe(1);
    expect(await available(user)).toBe('3.00');
  });

  it('to a muxed address of the user, many in one transaction, each counts', async () => {
    const user = await holder();
    const to = (amount: string, destination: string) =>
      Operation.payment({ destination, asset: usdcOf(world), amount });
    await payer.send(
      to('1', user.address),
      to('2', muxedOf(user.address, '77')),
      to('4', user.address),
    );
    expect(await creditDeposits(world.custody)).toBe(3);
    expect(await available(user)).toBe('7.00');
  });

  it('below a cent is dust, which adds up and is never lost', async () => {
    const user = await holder();
    for (const amount of ['0.004', '0.0049999', '0.0010001', '1.0099999', '0.0000001']) {
      await payer.pay(user.address, amount);
      await creditDeposits(world.custody);
    }
    expect([await available(user), await dustOf(user)]).toEqual(['1.02', '0']);
    expect((await deposits(user)).map((row) => `${row.amount} ${row.dust_stroops}`)).toEqual([
      '0 40000',
      '0 49999',
      '1 -89999',
      '100 99999',
      '1 -99999',
    ]);
    // A deposit that credits nothing has no event and no audit row.
    const logs = await market.send(
      'GET',
      `/audit/logs?resourceId=${user.id}&action=DEPOSIT_CREDITED`,
    );
    expect(logs.json.data.data).toHaveLength(3);
  });
});

/** Small pages, so that a few payments span many of them. */
function inPagesOf(size: number, onPage: (page: number) => void = () => undefined): LedgerNetwork {
  let page = 0;
  return {
    ...world.custody.network,
    paymentsSince: (cursor, _, own) => {
      page += 1;
      onPage(page);
      return world.custody.network.paymentsSince(cursor, size, own);
    },
  };
}

describe('the feed', () => {
  it('credits each operation once, however many watchers read it at once', async () => {
    const users = [await holder(), await holder(), await holder()];
    const watch = async () => {
      for (let round = 0; round < 6; round += 1)
        await readFeed({ ...world.custody, network: inPagesOf(3) });
    };
    const pay = async () => {
      for (const amount of ['1', '2', '4', '8'])
        for (const user of users) await payer.pay(user.address, amount);
    };
    await Promise.all([pay(), watch(), watch(), watch(), watch()]);
    await Promise.all([watch(), watch()]);
    for (const user of users) expect(await available(user)).toBe('15.00');
    expect(await auditBooks(world)).toEqual([]);
  });

  it('continues from its cursor after a crash between two pages', async () => {
    const user = await holder();
    for (const amount of ['1', '2', '4', '8', '16']) await payer.pay(user.address, amount);
    const crashing = inPagesOf(2, (page) => {
      if (page === 3) throw new Error('the process died');
    });
    await expect(readFeed({ ...world.custody, network: crashing })).rejects.toThrow('died');
    const reached = BigInt((await findCursor(world.custody)) ?? '0');
    expect((await deposits(user)).length).toBeGreaterThan(0);
    expect((await deposits(user)).length).toBeLessThan(5);
    await readFeed({ ...world.custody, network: inPagesOf(2) });
    expect(await available(user)).toBe('31.00');
    expect(BigInt((await findCursor(world.custody)) ?? '0')).toBeGreaterThan(reached);
  });

  it('reads a page again if its credits were committed and its cursor was not', async () => {
    const user = await holder();
    await creditDeposits(world.custody);
    for (const amount of ['1', '2']) await payer.pay(user.address, amount);
    const before = (await findCursor(world.custody)) ?? '';
    const none = async () => new Set<string>();
    const page = await world.custody.network.paymentsSince(before, 200, none);
    if (page.kind !== 'done') throw new Error(page.reason);
    await creditPayments(world.app, await findExternalPayments(world.app, page.value.payments));
    expect(await available(user)).toBe('3.00');
    expect(await findCursor(world.custody)).toBe(before);
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await available(user)).toBe('3.00');
    expect(await findCursor(world.custody)).toBe(page.value.cursor);
  });

  it('does not move while the network does not reply', async () => {
    const user = await holder();
    await creditDeposits(world.custody);
    await payer.pay(user.address, '5');
    const before = await findCursor(world.custody);
    const network: LedgerNetwork = {
      ...world.custody.network,
      paymentsSince: async () => ({ kind: 'unknown', reason: 'no reply' }),
    };
    expect(await readFeed({ ...world.custody, network })).toBe(0);
    expect(await findCursor(world.custody)).toBe(before);
    expect(await creditDeposits(world.custody)).toBe(1);
  });

  it('starts where the treasury does, and credits payments before its first read', async () => {
    const other = await openEscrowWorld();
    try {
      const there = await other.market();
      const id = await there.user();
      await other.runWorker();
      const [wallet] = await other.rows<{ address: string }>('select address from wallet');
      await other.sandbox.deposit(wallet?.address ?? '', 'USDC', '9');
      expect(await creditDeposits(other.custody)).toBe(1);
      const { json } = await there.send('GET', `/users/${id}/balance`);
      expect(json.data.data.available).toBe('9.00');
    } finally {
      await other.close();
    }
  });
});

it('one marketplace does not see the deposits of another', async () => {
  const user = await holder();
  await payer.pay(user.address, '1');
  await creditDeposits(world.custody);
  const other = await world.market();
  const call = systemCall(other.call.actor.marketplace);
  expect(call.actor.marketplace).not.toBe(market.call.actor.marketplace);
  expect((await other.send('GET', `/users/${user.id}/balance`)).status).toBe(404);
  const [row] = await world.rows<{ marketplace: string }>(
    'select marketplace_id as marketplace from deposit where user_id = $1',
    [user.id],
  );
  expect(row?.marketplace).toBe(market.call.actor.marketplace);
});
