//! Tests that resolving an exception posts, emits and records it; the books are never overwritten.
import type { ExceptionId, UserId } from '@holdfast/kernel/ids';
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditBooks, balanceOf, refusalOf } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import {
  atRest,
  changeBalance,
  credited,
  doublePayout,
  readingOf,
  reconciled,
  seenBy,
  strayPayin,
  useTraffic,
} from '../../testing/reconciliation.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import type { Cause } from '../comparison/finding.ts';
import type { Exception, ResolutionInput } from './exception.ts';
import { resolveException } from './resolve-exception.ts';

const { world, market, traffic } = useTraffic();
let payer: UserId;
let found: ReadonlyMap<Cause, Exception>;
beforeAll(async () => {
  payer = await market.user();
  await world.runWorker();
  await changeBalance(world, -1234n);
  await world.sandbox.deposit(traffic.address, 'USDC', '25');
  await strayPayin(world, 4000n);
  await doublePayout(world, traffic, 2000n);
  const dusty = await addressOf(world, payer);
  await world.sandbox.deposit(dusty, 'USDC', '0.0012345');
  await credited(world, dusty);
  await atRest(world);
  const run = await reconciled(world, market);
  found = new Map((await seenBy(world, market, run.id)).map((each) => [each.cause, each]));
});

const idOf = (cause: Cause): ExceptionId => found.get(cause)?.id ?? newId('exc', Date.now());
const resolve = (cause: Cause, input: Omit<ResolutionInput, 'reason'>, call = oneCall(market)) =>
  resolveException(world.app, call, idOf(cause), { ...input, reason: 'looked into it' });

async function postingsOf(cause: Cause): Promise<string[]> {
  const rows = await world.rows<{ posting: string }>(
    `select e.kind || ' ' || e.amount || ' ' || f.kind || ' ' || t.kind as posting from entry e
     join account f on f.id = e.from_account join account t on t.id = e.to_account
     where e.subject_id = $1 order by e.id`,
    [idOf(cause)],
  );
  return rows.map(({ posting }) => posting);
}

// One sequence: a resolved exception stays resolved.
describe('resolveException', { shuffle: false }, () => {
  describe('refuses', () => {
    it('an action that does not fit the cause, and names those that do', async () => {
      const { code, details } = await refusalOf(resolve('DUST', { action: 'BOOK_TO_SUSPENSE' }));
      expect(code).toBe('INVALID_STATE');
      expect(details['allowed']).toEqual(['ACCEPT']);
    });

    it('to credit a user with a missing amount', async () => {
      const refusal = await refusalOf(
        resolve('PAYOUT_DOUBLED', { action: 'CREDIT_USER', userId: payer }),
      );
      expect(refusal.code).toBe('INVALID_STATE');
    });

    it('to charge a user for a surplus', async () => {
      const charge = { action: 'CHARGE_USER', userId: payer } as const;
      expect((await refusalOf(resolve('PAYIN_MISSING_HERE', charge))).code).toBe('INVALID_STATE');
    });

    it('a credit without a user, a user without a credit, and an unknown user', async () => {
      const cause = 'PAYIN_MISSING_HERE';
      expect((await refusalOf(resolve(cause, { action: 'CREDIT_USER' }))).code).toBe(
        'VALIDATION_ERROR',
      );
      const stray = { action: 'WRITE_OFF', userId: payer } as const;
      expect((await refusalOf(resolve(cause, stray))).code).toBe('VALIDATION_ERROR');
      const unknownUser = { action: 'CREDIT_USER', userId: newId('usr', Date.now()) } as const;
      expect((await refusalOf(resolve(cause, unknownUser))).code).toBe('USER_NOT_FOUND');
    });

    it('to post another amount than the operator has seen', async () => {
      const input = { action: 'WRITE_OFF', expectedAmount: '39.99' } as const;
      const { code, details } = await refusalOf(resolve('PAYIN_MISSING_HERE', input));
      expect(code).toBe('INVALID_STATE');
      expect(details['reason']).toBe('the amount is now 39.5000000, not 39.99');
      expect(await postingsOf('PAYIN_MISSING_HERE')).toEqual([]);
    });
  });

  describe('resolves', () => {
    it('a missing pay-in by crediting its user out of suspense', async () => {
      const call = oneCall(market);
      const input = { action: 'CREDIT_USER', userId: payer, expectedAmount: '39.5' } as const;
      const resolved = await resolve('PAYIN_MISSING_HERE', input, call);
      expect(resolved).toMatchObject({ status: 'RESOLVED', resolution: { action: 'CREDIT_USER' } });
      expect(await postingsOf('PAYIN_MISSING_HERE')).toEqual([
        'exception_suspense 3950 payment_clearing suspense',
        'exception_credit 3950 suspense user',
      ]);
      expect(await balanceOf(world, market, payer)).toBe('39.50 0.00');
      expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual(['balance.credited']);
      expect(await auditedBy(world, call)).toMatchObject([
        { action: 'EXCEPTION_RESOLVED', reason: 'looked into it', after: { amount: '39.5000000' } },
      ]);
    });

    it('once: the second of two finds it resolved', async () => {
      const input = { action: 'CREDIT_USER', userId: payer } as const;
      const { code } = await refusalOf(resolve('PAYIN_MISSING_HERE', input));
      expect(code).toBe('INVALID_STATE');
      const charge = { action: 'CHARGE_USER', userId: payer } as const;
      const both = await Promise.allSettled([
        resolve('PAYOUT_DOUBLED', charge),
        resolve('PAYOUT_DOUBLED', charge),
      ]);
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await postingsOf('PAYOUT_DOUBLED')).toEqual([
        'exception_suspense 2000 suspense payment_clearing',
        'exception_charge 2000 user suspense',
      ]);
      expect(await balanceOf(world, market, payer)).toBe('19.50 0.00');
    });

    it('a changed balance by writing it off, once a second operator agreed', async () => {
      const sit = () => desk(world, { marketplaceId: market.id, role: 'finance' });
      const [requester, second] = [await sit(), await sit()];
      const path = `/reconciliation/exceptions/${idOf('PROVIDER_BALANCE_CHANGED')}/resolve`;
      const request = (seen: object) =>
        requester.send('POST', path, { body: { action: 'WRITE_OFF', reason: 'a fee', ...seen } });
      expect((await request({})).json.error.code).toBe('VALIDATION_ERROR');
      expect((await request({ expectedAmount: '-12.35' })).json.error.code).toBe('INVALID_STATE');
      const requested = await request({ expectedAmount: '-12.34' });
      expect([requested.status, requested.json.data?.data.amount]).toEqual([202, '12.34']);
      expect(await postingsOf('PROVIDER_BALANCE_CHANGED')).toEqual([]);
      const done = await second.send('POST', `/approvals/${requested.json.data.data.id}/approve`, {
        body: {},
      });
      expect(done.json.data?.data.status, done.text).toBe('EXECUTED');
      expect(await postingsOf('PROVIDER_BALANCE_CHANGED')).toEqual([
        'exception_write_off 1234 provider_fees payment_clearing',
      ]);
    });

    it('an unbooked payment by booking it', async () => {
      const before = await balanceOf(world, market, traffic.userId);
      await resolve('LEDGER_PAYMENT_UNBOOKED', { action: 'APPLY_AGAIN' });
      const after = await balanceOf(world, market, traffic.userId);
      expect([before, after]).toEqual(['69.84 0.00', '94.84 0.00']);
    });

    it('dust by accepting it alone, until there is more of it', async () => {
      const finance = await desk(world, { marketplaceId: market.id, role: 'finance' });
      const path = `/reconciliation/exceptions/${idOf('DUST')}/resolve`;
      const body = { action: 'ACCEPT', reason: 'too little' };
      expect((await finance.send('POST', path, { body })).status).toBe(200);
      await atRest(world);
      expect((await reconciled(world, market)).figures).toMatchObject({ opened: 0, seenAgain: 0 });
      const dusty = await addressOf(world, payer);
      await world.sandbox.deposit(dusty, 'USDC', '0.0000001');
      await credited(world, dusty);
      await atRest(world);
      const run = await reconciled(world, market);
      const seen = await seenBy(world, market, run.id);
      expect(seen.map(({ cause, stroops }) => [cause, stroops])).toEqual([['DUST', 12346n]]);
      expect(seen[0]?.id).not.toBe(idOf('DUST'));
    });

    it('all so that assets equal liabilities, to the stroop, and the books are whole', async () => {
      const { status, usdc, xlm } = await readingOf(world);
      expect({ status, usdc: usdc.difference, xlm: xlm.difference }).toEqual({
        status: 'BALANCED',
        usdc: 0n,
        xlm: 0n,
      });
      expect(await auditBooks(world)).toEqual([]);
    });
  });
});
