import { expect, it } from 'vitest';
import {
  type Fields,
  mergeOf,
  readMerged,
  readPayments,
  UnreadableRecord,
} from './payment-records.ts';

const ISSUER = 'GISSUER';
const USDC = { asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: ISSUER };

const record = (fields: Fields): Fields => ({
  id: '12884905985',
  paging_token: '12884905985',
  transaction_hash: 'ab',
  transaction_successful: true,
  created_at: '2026-11-15T08:00:00Z',
  type: 'payment',
  from: 'GSTRANGER',
  to: 'GUSER',
  amount: '12.3456789',
  ...USDC,
  ...fields,
});

const read = (fields: Fields) =>
  readPayments(record(fields), ISSUER).map(
    ({ part, from, to, asset, stroops, by }) => `${part} ${from} ${to} ${asset} ${stroops} ${by}`,
  );

it.each([
  ['a payment', {}, ['0 GSTRANGER GUSER USDC 123456789 payment']],
  ['a muxed one', { to_muxed: 'MUSER' }, ['0 GSTRANGER GUSER USDC 123456789 payment']],
  [
    'a path payment',
    { type: 'path_payment_strict_send' },
    ['0 GSTRANGER GUSER USDC 123456789 payment'],
  ],
  ['another issuer', { asset_issuer: 'GOTHER' }, ['0 GSTRANGER GUSER other 0 payment']],
  ['another code', { asset_code: 'EURC' }, ['0 GSTRANGER GUSER other 0 payment']],
  ['XLM', { asset_type: 'native' }, ['0 GSTRANGER GUSER XLM 123456789 payment']],
  ['what failed', { transaction_successful: false }, []],
  ['a merge of unknown amount', { type: 'account_merge', into: 'GUSER' }, []],
  [
    'a new account',
    {
      type: 'create_account',
      funder: 'GSTRANGER',
      account: 'GUSER',
      starting_balance: '3.0000000',
    },
    ['0 GSTRANGER GUSER XLM 30000000 payment'],
  ],
])('%s', (_, fields, expected) => {
  expect(read(fields)).toEqual(expected);
});

it('reads every transfer of a contract, with its index among them', () => {
  const changes = [
    { ...USDC, type: 'transfer', from: 'CESCROW', to: 'GFEE', amount: '1.0000000' },
    { ...USDC, type: 'transfer', from: 'CESCROW', to: 'GUSER', amount: '2.0000000' },
    { ...USDC, type: 'mint', to: 'GUSER', amount: '3.0000000' },
  ];
  expect(read({ type: 'invoke_host_function', asset_balance_changes: changes })).toEqual([
    '0 CESCROW GFEE USDC 10000000 contract',
    '1 CESCROW GUSER USDC 20000000 contract',
    '2  GUSER USDC 30000000 contract',
  ]);
});

it('reads a merge by the effects of its operation', () => {
  const merge = record({ type: 'account_merge', account: 'GSTRANGER', into: 'GUSER' });
  const native = { asset_type: 'native', amount: '7.0000001' };
  const credit = { type: 'account_credited', account: 'GUSER', ...native };
  const debit = { type: 'account_debited', account: 'GSTRANGER', ...native };
  expect(mergeOf(merge)).toEqual({ operationId: '12884905985', into: 'GUSER' });
  expect(mergeOf({ ...merge, transaction_successful: false })).toBeUndefined();
  expect(mergeOf(record({}))).toBeUndefined();
  const stroops = readMerged([debit, credit], { operationId: '12884905985', into: 'GUSER' });
  expect(readPayments(merge, ISSUER, new Map([['12884905985', stroops]]))).toMatchObject([
    { from: 'GSTRANGER', to: 'GUSER', asset: 'XLM', stroops: 70_000_001n, part: 0 },
  ]);
  for (const effects of [[], [debit], [{ ...credit, asset_type: 'credit_alphanum4' }]])
    expect(() => readMerged(effects, { operationId: '1', into: 'GUSER' })).toThrow(
      UnreadableRecord,
    );
});

it.each([
  { amount: '1.00000001' },
  { amount: '' },
  { amount: '-1' },
  { id: '' },
  { paging_token: 7 },
])('reads nothing past %j', (fields) => {
  expect(() => read(fields)).toThrow(UnreadableRecord);
});
