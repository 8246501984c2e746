//! Response views of the books.
import type {
  LedgerAccountView,
  LedgerChartView,
  LedgerEntryDetailView,
  LedgerEntryView,
} from '@holdfast/contract/records/ledger-records';
import { instantText } from '@holdfast/kernel/clock';
import { CURRENCY_CODES } from '@holdfast/kernel/currency';
import { minorText } from '@holdfast/kernel/money';
import type { getChart, getEntry, NamedAccount } from '../../../assurance/ledger/read-ledger.ts';

type EntryDetail = Awaited<ReturnType<typeof getEntry>>;
type BookEntry = EntryDetail['entry'];
type EntrySide = BookEntry['from'];

export function ledgerAccountView(found: NamedAccount): LedgerAccountView {
  const { id, kind, ownerId, currency, available, reserved, at, updatedAt } = found;
  return {
    id,
    kind,
    ownerId: ownerId === '' ? null : ownerId,
    currency,
    available: minorText(available),
    reserved: minorText(reserved),
    total: minorText(available + reserved),
    at: instantText(at),
    updatedAt: instantText(updatedAt),
  };
}

export function ledgerChartView({
  takenAt,
  lines,
}: Awaited<ReturnType<typeof getChart>>): LedgerChartView {
  const sumOf = (currency: string) =>
    lines
      .filter((line) => line.currency === currency)
      .reduce((sum, { available, reserved }) => sum + available + reserved, 0n);
  return {
    takenAt: instantText(takenAt),
    lines: lines.map(({ kind, currency, accounts, available, reserved }) => ({
      kind,
      currency,
      accounts,
      available: minorText(available),
      reserved: minorText(reserved),
      total: minorText(available + reserved),
    })),
    sums: CURRENCY_CODES.map((currency) => ({ currency, total: minorText(sumOf(currency)) })),
  };
}

export function ledgerEntryView(entry: BookEntry): LedgerEntryView {
  return {
    id: entry.id,
    kind: entry.kind,
    at: instantText(entry.at),
    amount: minorText(entry.amount),
    currency: entry.currency,
    from: sideView(entry.from),
    to: sideView(entry.to),
    subjectId: entry.subjectId,
    reference: entry.reference,
    note: entry.note,
    actorId: entry.actorId,
    requestId: entry.requestId,
  };
}

export function ledgerEntryDetailView({ entry, related }: EntryDetail): LedgerEntryDetailView {
  return { entry: ledgerEntryView(entry), related: related.map(ledgerEntryView) };
}

function sideView({ accountId, bucket, available, reserved }: EntrySide): LedgerEntryView['from'] {
  return {
    accountId,
    bucket,
    available: available === null ? null : minorText(available),
    reserved: reserved === null ? null : minorText(reserved),
  };
}
