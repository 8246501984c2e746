import { randomUUID } from 'node:crypto';
import type { UserId } from '@holdfast/kernel/ids';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditBooks, useEscrowWorld } from '../../testing/escrows.ts';
import { payFromTreasury } from '../../testing/external-payer.ts';
import { runMirror } from '../../testing/mirror.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import type { ApiResponse } from '../../testing/world.ts';
import { postingFor } from './sync-balance.ts';

const { world, market } = useEscrowWorld({ HOLDFAST_SYNC_LIMIT: '20.00' });

interface Holder {
  readonly id: UserId;
  readonly address: string;
}

/** A user with this amount in the books and at the address. */
async function holder(credit: string): Promise<Holder> {
  const id = await market.user();
  await world.runWorker();
  await market.send('POST', `/users/${id}/balance/credit`, { body: { amount: credit } });
  expect(await runMirror(world, world.custody)).toBe(0);
  return { id, address: await addressOf(world, id) };
}

/** The worker's mirror keeps running meanwhile, as it does beside a real api process. */
async function sync({ id }: Holder, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return market.send('POST', `/users/${id}/balance/sync`, { headers });
}

function drift({ address }: Holder, amount: string, direction: 'more' | 'less', asset = 'USDC') {
  return world.sandbox.control('POST', '/ledger/drift', { address, asset, amount, direction });
}

const verified = async ({ id }: Holder) =>
  (await market.send('GET', `/users/${id}/balance/verify`)).json.data.data;

const auditedFor = async ({ id }: Holder, action: string) =>
  (await market.send('GET', `/audit/logs?resourceId=${id}&action=${action}`)).json.data.data;

const seen = ({ json }: ApiResponse) => {
  const { synced, previousBalance, currentBalance, discrepancyDetected, adjustment } =
    json.data.data;
  const totals = `${previousBalance.total} ${currentBalance.total}`;
  return `${synced} ${discrepancyDetected} ${adjustment} ${totals}`;
};

it('reports nothing where books and address agree, and changes nothing', async () => {
  const user = await holder('15.00');
  expect(seen(await sync(user))).toBe('true false null 15.00 15.00');
  expect(await auditedFor(user, 'BALANCE_SYNCED')).toEqual([]);
});

it('waits for a transfer in flight, which is no difference', async () => {
  const user = await holder('15.00');
  await market.send('POST', `/users/${user.id}/balance/credit`, { body: { amount: '5.00' } });
  const [response] = await Promise.all([sync(user), runMirror(world, world.custody)]);
  expect(seen(response)).toBe('true false null 20.00 20.00');
  expect((await verified(user)).onChainBalance.balance).toBe('20.0000000');
});

it('credits deposits that the feed has not reached', async () => {
  const user = await holder('15.00');
  await world.sandbox.deposit(user.address, 'USDC', '2.50');
  const [response] = await Promise.all([sync(user), runMirror(world, world.custody)]);
  expect(seen(response)).toBe('true false null 15.00 17.50');
  expect(await auditedFor(user, 'DEPOSIT_CREDITED')).toHaveLength(1);
  expect((await verified(user)).isValid).toBe(true);
});

describe('an unexplained difference', () => {
  it.each([
    ['more', '2.50', 'true true 2.50 15.00 17.50', 'balance.credited', 'sync_credit', '17.5000000'],
    ['less', '2.50', 'true true -2.50 15.00 12.50', 'balance.debited', 'sync_debit', '12.5000000'],
    [
      'more',
      '20.00',
      'true true 20.00 15.00 35.00',
      'balance.credited',
      'sync_credit',
      '35.0000000',
    ],
  ] as const)(
    'of %s %s is posted against suspense',
    async (direction, amount, expected, event, kind, held) => {
      const user = await holder('15.00');
      await drift(user, amount, direction);
      expect((await verified(user)).isValid).toBe(false);
      expect(seen(await sync(user))).toBe(expected);
      await world.sequence();
      const events = await world.rows<{ type: string; kind: string }>(
        `select e.event_type as type, coalesce(e.payload->>'source', e.payload->>'destination') as kind
       from event e where e.aggregate_id = $1 and e.event_type like 'balance.%' order by position`,
        [user.id],
      );
      expect(events.at(-1)).toEqual({ type: event, kind });
      expect(await auditedFor(user, 'BALANCE_SYNCED')).toMatchObject([{ actorType: 'API_KEY' }]);
      // The mirror accepts the balance, and sends nothing.
      expect(await runMirror(world, world.custody)).toBe(0);
      expect(await verified(user)).toMatchObject({
        isValid: true,
        difference: '0.0000000',
        inFlight: '0.0000000',
        onChainBalance: { balance: held },
      });
      expect(seen(await sync(user))).toMatch(/^true false null/);
    },
  );

  it('of XLM is posted to XLM', async () => {
    const user = await holder('15.00');
    await drift(user, '3', 'more', 'XLM');
    const response = await market.send('POST', `/users/${user.id}/balance/sync?currency=XLM`);
    expect(seen(response)).toBe('true true 3.00 0.00 3.00');
  });

  it('below a cent becomes dust', async () => {
    const user = await holder('15.00');
    await drift(user, '0.0000007', 'more');
    expect(seen(await sync(user))).toBe('true true null 15.00 15.00');
    await runMirror(world, world.custody);
    expect(await verified(user)).toMatchObject({ isValid: true, dust: '0.0000007' });
    expect(await auditedFor(user, 'BALANCE_SYNCED')).toHaveLength(1);
  });

  it('above the bound is only reported and escalated', async () => {
    const user = await holder('15.00');
    await drift(user, '20.0000001', 'more');
    expect(seen(await sync(user))).toBe('false true null 15.00 15.00');
    expect(await auditedFor(user, 'BALANCE_DIFFERENCE_ESCALATED')).toMatchObject([
      { after: { unexplained: '200000001', asset: 'USDC' } },
    ]);
    expect((await verified(user)).isValid).toBe(false);
  });

  it('takes no more than is available; the rest is reported and escalated', async () => {
    const user = await holder('15.00');
    await market.send('POST', `/users/${user.id}/balance/reserve`, { body: { amount: '12.00' } });
    await drift(user, '5', 'less');
    expect(seen(await sync(user))).toBe('false true -3.00 15.00 12.00');
    expect(await auditedFor(user, 'BALANCE_DIFFERENCE_ESCALATED')).toMatchObject([
      { after: { unexplained: '-20000000' } },
    ]);
  });

  it('is posted once, however often one key requests it, and by many callers at once', async () => {
    const user = await holder('15.00');
    await drift(user, '1', 'more');
    const headers = { 'idempotency-key': randomUUID() };
    const first = await sync(user, headers);
    const again = await sync(user, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replay']).toBe('true');
    const other = `/users/${user.id}/balance/sync?currency=XLM`;
    const { json: refused } = await market.send('POST', other, { headers });
    expect(refused.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    // A difference at an address that the mirror has not finished with is not posted.
    expect(await runMirror(world, world.custody)).toBe(0);
    await drift(user, '1', 'more');
    const responses = await Promise.all(Array.from({ length: 4 }, () => sync(user)));
    const outcomes = responses.map(({ status, json }) => `${status} ${json.data?.data.adjustment}`);
    expect(outcomes.toSorted()).toEqual(['200 1.00', '200 null', '200 null', '200 null']);
    const { json } = await market.send('GET', `/users/${user.id}/balance`);
    expect(json.data.data.total).toBe('17.00');
  });
});

it('settles an unrecorded payment by the treasury once', async () => {
  const user = await holder('15.00');
  await payFromTreasury(world, user.address, '5');
  expect((await verified(user)).isValid).toBe(false);
  expect(seen(await sync(user))).toBe('true true 5.00 15.00 20.00');
  for (let round = 0; round < 2; round += 1) {
    expect(await runMirror(world, world.custody)).toBe(0);
    expect(seen(await sync(user))).toBe('true false null 20.00 20.00');
  }
  expect((await verified(user)).onChainBalance.balance).toBe('20.0000000');
});

it('keeps the books whole', async () => {
  expect(await auditBooks(world)).toEqual([]);
});

it('posts exactly the difference, in cents and dust, unless too little is available', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.bigInt({ min: 0n, max: 99_999n }),
      fc.bigInt({ min: 0n, max: 10n ** 7n }),
      (unexplained, dust, available) => {
        const posting = postingFor(unexplained, dust, {
          currency: 'USD',
          available,
          unconfirmed: 0n,
        });
        expect(dust + posting.dust >= 0n && dust + posting.dust < 100_000n).toBe(true);
        expect(available + posting.minor >= 0n).toBe(true);
        const sum = posting.minor * 100_000n + posting.dust;
        if (available + posting.minor > 0n) expect(sum).toBe(unexplained);
        else expect(sum >= unexplained).toBe(true);
      },
    ),
  );
});
