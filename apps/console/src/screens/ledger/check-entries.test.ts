import type { LedgerEntry } from '@holdfast/sdk';
import { expect, it } from 'vitest';
import { checkEntries, effectOn } from '#screens/ledger/check-entries.ts';

const ADA = 'user.usr_ada.USD';

interface Part {
  readonly from: readonly [account: string, bucket: 'available' | 'reserved'];
  readonly to: readonly [account: string, bucket: 'available' | 'reserved'];
  readonly amount: string;
  /** Of Ada, after it. */
  readonly after: readonly [available: string, reserved: string];
}

function entry(id: string, { from, to, amount, after }: Part): LedgerEntry {
  const side = ([accountId, bucket]: Part['from']) => ({
    accountId,
    bucket,
    available: accountId === ADA ? after[0] : null,
    reserved: accountId === ADA ? after[1] : null,
  });
  const about = { subjectId: null, reference: null, note: null, actorId: 'key_1', requestId: 'r' };
  const at = '2026-03-01T12:00:00.000Z';
  const kind = 'CREDIT';
  return { id, kind, at, amount, currency: 'USD', from: side(from), to: side(to), ...about };
}

const credit = entry('1', {
  from: ['payment_clearing.USD', 'available'],
  to: [ADA, 'available'],
  amount: '100.00',
  after: ['100.00', '0.00'],
});
const reserve = (after: Part['after']) =>
  entry('2', { from: [ADA, 'available'], to: [ADA, 'reserved'], amount: '40.00', after });

it('gives the effect of an entry on an account that stands on both sides', () => {
  expect(effectOn(reserve(['60.00', '40.00']), ADA)).toEqual({
    available: -400_000_000n,
    reserved: 400_000_000n,
  });
});

it('finds that each balance follows from the one before', () => {
  const check = checkEntries([reserve(['60.00', '40.00']), credit], ADA);
  expect(check).toEqual({ entries: 2, checked: 1, wrong: undefined, isPossible: true });
});

it('names the entry whose balance is one cent off', () => {
  const { wrong } = checkEntries([reserve(['60.01', '40.00']), credit], ADA);
  expect(wrong).toEqual({
    entryId: '2',
    message:
      'Expected 60.00 USD available and 40.00 USD reserved; the entry shows 60.01 USD and 40.00 USD. Contact the team that runs your Holdfast server.',
  });
});

it('says so when an account keeps no running balance', () => {
  const check = checkEntries([credit, credit], 'payment_clearing.USD');
  expect(check.isPossible).toBe(false);
});
