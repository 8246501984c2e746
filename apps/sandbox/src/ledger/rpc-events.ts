//! getEvents: events of contracts in order, by ledger, contract and topics.
import { timeText } from './horizon.view.ts';
import type { Ledger } from './ledger.ts';
import { eventsOf } from './meta.ts';
import { type EventRecord, operationToken, type TransactionRecord } from './record.ts';

export interface EventQuery {
  readonly startLedger?: number;
  readonly endLedger?: number;
  readonly filters?: readonly {
    readonly contractIds?: readonly string[];
    readonly topics?: readonly (readonly string[])[];
  }[];
  readonly pagination?: { readonly cursor?: string; readonly limit?: number };
}

const LIMIT = { usual: 100, most: 10_000 };

export function listEvents(ledger: Ledger, query: EventQuery): object {
  const { filters = [], pagination = {}, startLedger = 2, endLedger } = query;
  const after = pagination.cursor ?? '';
  const limit = Math.min(pagination.limit ?? LIMIT.usual, LIMIT.most);
  const from = after === '' ? startLedger : ledgerOf(after);
  const found: { id: string }[] = [];
  const sequenced = ledger.archive.transactions({
    cursor: (BigInt(from) << 32n) - 1n,
    order: 'asc',
    limit: Number.POSITIVE_INFINITY,
  });
  for (const { record } of sequenced) {
    if (found.length >= limit || (endLedger !== undefined && record.ledger >= endLedger)) break;
    const events = record.isSuccessful && record.call ? eventsOf(record, ledger.network) : [];
    for (const [index, event] of events.entries()) {
      const id = eventId(record.ledger, index);
      if (id > after && fits(event, filters)) found.push(eventView(id, record, event));
    }
  }
  const head = ledger.head();
  const page = found.slice(0, limit);
  return {
    events: page,
    cursor: page.at(-1)?.id ?? eventId(head.number, 0),
    latestLedger: head.number,
    oldestLedger: 2,
    latestLedgerCloseTime: String(head.closeTime),
    oldestLedgerCloseTime: String(head.closeTime - head.number),
  };
}

/** Sorts as text in the order of things. */
function eventId(ledger: number, index: number): string {
  return `${operationToken(ledger, 0).padStart(19, '0')}-${String(index).padStart(10, '0')}`;
}

function ledgerOf(id: string): bigint {
  return BigInt(id.slice(0, id.indexOf('-'))) >> 32n;
}

function eventView(id: string, record: TransactionRecord, event: EventRecord): { id: string } {
  const view = {
    type: 'contract',
    ledger: record.ledger,
    ledgerClosedAt: timeText(record.closeTime),
    contractId: event.contractId,
    id,
    operationIndex: 0,
    transactionIndex: 1,
    inSuccessfulContractCall: true,
    txHash: record.hash,
    topic: event.topics,
    value: event.data,
  };
  return view;
}

function fits(event: EventRecord, filters: NonNullable<EventQuery['filters']>): boolean {
  if (filters.length === 0) return true;
  return filters.some(({ contractIds = [], topics = [] }) => {
    const isFrom = contractIds.length === 0 || contractIds.includes(event.contractId);
    return isFrom && (topics.length === 0 || topics.some((form) => topicsFit(event.topics, form)));
  });
}

/** `*` stands for one topic, `**` at the end for any number of them. */
function topicsFit(topics: readonly string[], form: readonly string[]): boolean {
  const isOpen = form.at(-1) === '**';
  const parts = isOpen ? form.slice(0, -1) : form;
  if (isOpen ? topics.length < parts.length : topics.length !== parts.length) return false;
  return parts.every((part, at) => part === '*' || part === topics[at]);
}
