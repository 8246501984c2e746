//! Tests what a user owes: shown, and written off by two.
import { LedgerEntryView } from '@holdfast/contract/records/ledger-records';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { debtOf, owingUser, useTopupWorld } from '../../testing/topups.ts';
import { listDebts, writeOffDebt } from './write-off-debt.ts';

const { world, market } = useTopupWorld();

const REASON = { currency: 'USD', reason: 'not worth a lawyer' } as const;
const writeOff = (userId: Parameters<typeof writeOffDebt>[2], amount: string) =>
  writeOffDebt(world.app, market.call, userId, { amount, ...REASON });

describe('a debt', () => {
  it('is shown by currency, and written off in part or whole', async () => {
    const userId = await owingUser(world, market);
    expect(await listDebts(world.app, market.call, userId)).toEqual([
      { userId, currency: 'USD', owed: 4500n },
    ]);
    expect(await writeOff(userId, '40.00')).toMatchObject({ owed: 500n });
    expect(await writeOff(userId, '5.00')).toMatchObject({ owed: 0n });
    const [entry] = await world.rows(
      `select e.kind, e.amount, e.note from entry e join account d on d.id = e.to_account
       where d.kind = 'debt' and d.owner_id = $1 order by e.id limit 1`,
      [userId],
    );
    expect(entry).toEqual({ kind: 'debt_write_off', amount: '4000', note: REASON.reason });
    await world.sequence();
    const events = await world.rows<{ payload: object }>(
      `select payload from event where event_type = 'user.debt_written_off'
       and aggregate_id = $1 order by position`,
      [userId],
    );
    expect(events.map(({ payload }) => payload)).toEqual([
      { userId, amount: '40.00', currency: 'USD', subjectId: userId, owed: '5.00' },
      { userId, amount: '5.00', currency: 'USD', subjectId: userId, owed: '0.00' },
    ]);
  });

  it('is an account of the ledger below zero, and its entries show what it came from', async () => {
    const userId = await owingUser(world, market);
    const path = `/ledger/accounts/debt.${userId}.USD/entries`;
    const [entry] = (await market.send('GET', path)).json.data.data;
    expect(entry).toMatchObject({ kind: 'topup_debt', from: { available: '-45.00' } });
    expect([...Compile(LedgerEntryView).Errors(entry)]).toEqual([]);
  });

  it('is never written off beyond what is owed, nor for a user who owes nothing', async () => {
    const userId = await owingUser(world, market);
    await expect(writeOff(userId, '45.01')).rejects.toSatisfy(isRefusal('INVALID_STATE'));
    const other = await market.user();
    await expect(writeOff(other, '0.01')).rejects.toSatisfy(isRefusal('INVALID_STATE'));
    expect(await debtOf(world, userId)).toBe('45.00');
  });

  it('needs a second approver when an operator writes it off', async () => {
    const userId = await owingUser(world, market);
    const one = await desk(world, { role: 'finance', marketplaceId: market.id });
    const path = `/users/${userId}/debts/write-off`;
    const requested = await one.send('POST', path, { body: { amount: '45.00', ...REASON } });
    expect(requested.status).toBe(202);
    expect(await debtOf(world, userId)).toBe('45.00');
    const other = await desk(world, { role: 'finance', marketplaceId: market.id });
    const approvalId = requested.json.data.data.id as string;
    await other.send('POST', `/approvals/${approvalId}/approve`, { body: {} });
    expect(await debtOf(world, userId)).toBe('0.00');
  });
});
