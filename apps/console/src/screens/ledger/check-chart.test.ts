import type { LedgerChart, LedgerChartLine } from '@holdfast/sdk';
import { expect, it } from 'vitest';
import { checkChart } from '#screens/ledger/check-chart.ts';

function line(kind: 'user' | 'payment_clearing', available: string): LedgerChartLine {
  return { kind, currency: 'USD', accounts: 1, available, reserved: '0.00', total: available };
}

function chart(lines: readonly LedgerChartLine[], total = '0.00'): LedgerChart {
  return { takenAt: '2026-03-01T12:00:00.000Z', lines, sums: [{ currency: 'USD', total }] };
}

it('finds books right that sum to zero', () => {
  const check = checkChart(chart([line('user', '12.30'), line('payment_clearing', '-12.30')]));
  expect(check).toEqual({ isRight: true, lines: ['USD: 2 accounts, total 0.00 USD'] });
});

it('finds books wrong by one cent, even if the service says that they are right', () => {
  const lines = [line('user', '12.31'), line('payment_clearing', '-12.30')];
  expect(checkChart(chart(lines))).toEqual({
    isRight: false,
    lines: ['USD: 2 accounts, total 0.01 USD, expected 0.00 USD.'],
  });
});

it('believes the service when it says that they are wrong', () => {
  const lines = [line('user', '12.30'), line('payment_clearing', '-12.30')];
  expect(checkChart(chart(lines, '0.01'))).toEqual({
    isRight: false,
    lines: ['USD: the server reports a total of 0.01 USD, expected 0.00 USD.'],
  });
});

it('says when the parts of a line do not make its total', () => {
  const off = { ...line('user', '12.30'), reserved: '0.01' };
  expect(checkChart(chart([off, line('payment_clearing', '-12.30')]))).toEqual({
    isRight: false,
    lines: ['USD: available plus reserved does not equal the total in at least one account type.'],
  });
});

it('says nothing of an unused currency', () => {
  const used = chart([line('user', '1.00'), line('payment_clearing', '-1.00')]);
  const check = checkChart({ ...used, sums: [...used.sums, { currency: 'XLM', total: '0.00' }] });
  expect(check.lines).toEqual(['USD: 2 accounts, total 0.00 USD']);
});
