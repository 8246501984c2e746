//! Reads the history of a load generator: requests and outcomes, one JSON line per logical request.
import { readFileSync } from 'node:fs';

/** `unknown`: the connection was cut, so the request was executed once or not at all. */
const OUTCOMES = ['acknowledged', 'refused', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface HistoryLine {
  readonly logicalId: string;
  /** The X-Request-ID of each attempt; it becomes the correlation_id of the written rows. */
  readonly correlationIds: readonly string[];
  readonly op: string;
  readonly userId: string;
  readonly currency: string;
  /** As on the wire. Null for an operation whose amount the service decides. */
  readonly amount: string | null;
  readonly outcome: Outcome;
}

export type History = readonly HistoryLine[];

/** Which entries an operation writes. `release` and `deduct` are the wire's words. */
const KIND_OF_OP: Readonly<Record<string, string>> = {
  credit: 'credit',
  debit: 'debit',
  reserve: 'reserve',
  release: 'unreserve',
  cancel: 'unreserve',
  deduct: 'spend',
};

export function readHistory(path: string): History {
  const lines = readFileSync(path, 'utf8').split('\n');
  const history = lines.flatMap((line, at) =>
    line.trim() === '' ? [] : [readLine(line, `${path}:${at + 1}`)],
  );
  refuseRepeats(history);
  return history;
}

function readLine(text: string, where: string): HistoryLine {
  const line = JSON.parse(text) as Partial<HistoryLine>;
  const { correlationIds, amount = null, outcome } = line;
  const isRead =
    [line.logicalId, line.userId, line.currency].every((field) => typeof field === 'string') &&
    Object.hasOwn(KIND_OF_OP, line.op ?? '') &&
    Array.isArray(correlationIds) &&
    correlationIds.every((id) => typeof id === 'string') &&
    correlationIds.length > 0 &&
    (amount === null || /^\d{1,17}(\.\d{1,2})?$/.test(amount)) &&
    OUTCOMES.some((known) => known === outcome);
  if (!isRead) throw new Error(`${where} is not a line of a history: ${text.slice(0, 200)}`);
  return { ...(line as HistoryLine), amount };
}

/** A request id on two lines would leave open which of them wrote an entry. */
function refuseRepeats(history: History): void {
  const logical = new Set(history.map(({ logicalId }) => logicalId));
  const tries = history.flatMap(({ correlationIds }) => correlationIds);
  if (logical.size < history.length) throw new Error('the history repeats a logicalId');
  if (new Set(tries).size < tries.length) throw new Error('the history repeats a correlation id');
}

/** For each line: the entries its attempts left, and how many of those match the request. */
export const ENTRY_COUNTS = `
  select line.logical_id, line.op, line.outcome, count(entry.id) as entries,
    count(entry.id) filter (where entry.kind = line.kind and entry.currency = line.currency
      and entry.amount = coalesce((line.amount::numeric * 100)::bigint, entry.amount)
      and line.user_id in (source.owner_id, target.owner_id)) as fitting,
    min(entry.id) as first_entry
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    as line (logical_id, op, kind, user_id, currency, amount, outcome)
  join unnest($8::text[], $9::text[]) as try (logical_id, correlation_id)
    on try.logical_id = line.logical_id
  left join entry on entry.correlation_id = try.correlation_id
  left join account source on source.id = entry.from_account
  left join account target on target.id = entry.to_account
  group by line.logical_id, line.op, line.outcome`;

/** The arguments of ENTRY_COUNTS. */
export function entryCountValues(lines: History): unknown[] {
  const tries = lines.flatMap(({ logicalId, correlationIds }) =>
    correlationIds.map((id) => [logicalId, id] as const),
  );
  return [
    lines.map(({ logicalId }) => logicalId),
    lines.map(({ op }) => op),
    lines.map(({ op }) => KIND_OF_OP[op]),
    lines.map(({ userId }) => userId),
    lines.map(({ currency }) => currency),
    lines.map(({ amount }) => amount),
    lines.map(({ outcome }) => outcome),
    tries.map(([logicalId]) => logicalId),
    tries.map(([, id]) => id),
  ];
}
