//! Checks after a round: the journal in the database, and balances and replays over HTTP.
import type { Pool } from 'pg';
import { type ApiResponse, call } from '../../harness/api.ts';
import { type ClientGroup, tryOnce } from './client.ts';
import type { Balances, LogicalRequest } from './history.ts';

export interface JournalFindings {
  /** Acknowledged, but not in the journal. */
  lost: number;
  /** In the journal more than once. */
  doubled: number;
  /** In the journal although refused; with another amount, user or kind; or without a request. */
  strange: number;
}

interface EntryRow {
  correlation_id: string;
  kind: string;
  amount: string;
  owner_id: string;
}

/** Every entry since `fromEntry` belongs to one acknowledged request, and each of those has one. */
export async function checkJournal(
  monitor: Pool,
  fromEntry: string,
  requests: readonly LogicalRequest[],
): Promise<JournalFindings> {
  const { rows } = await monitor.query<EntryRow>(
    `select e.correlation_id, e.kind, e.amount, a.owner_id from entry e
     join account a on a.id = case e.kind when 'credit' then e.to_account else e.from_account end
     where e.id >= $1`,
    [fromEntry],
  );
  const entries = Map.groupBy(rows, (row) => row.correlation_id);
  const found = { lost: 0, doubled: 0, strange: 0 };
  for (const request of requests) {
    const own = request.correlationIds.flatMap((id) => entries.get(id) ?? []);
    for (const id of request.correlationIds) entries.delete(id);
    if (own.length > 1) found.doubled += 1;
    if (request.outcome === 'acknowledged' && own.length === 0) found.lost += 1;
    if (request.outcome === 'refused' && own.length > 0) found.strange += 1;
    if (own.some((entry) => !isOf(entry, request))) found.strange += 1;
  }
  found.strange += entries.size;
  return found;
}

function isOf(entry: EntryRow, request: LogicalRequest): boolean {
  const kind = request.op === 'release' ? 'unreserve' : request.op;
  return (
    entry.kind === kind &&
    entry.owner_id === request.userId &&
    entry.amount === String(request.amountMinor)
  );
}

/** The users whose balance over HTTP differs from the sum of their acknowledged requests. */
export async function checkBalances(group: ClientGroup, expected: Balances): Promise<string[]> {
  const faults: string[] = [];
  for (const userId of group.userIds) {
    const target = { api: group.random.oneOf(group.urls), apiKey: group.key };
    const response = await call(target, { path: `/users/${userId}/balance` });
    const balance = response.status === 200 ? readBalance(response) : undefined;
    const { available, reserved } = expected.get(userId) ?? { available: 0, reserved: 0 };
    if (balance?.available === available && balance.reserved === reserved) continue;
    const saw = balance === undefined ? `status ${response.status}` : JSON.stringify(balance);
    faults.push(
      `${userId}: ${saw}, but the history says ${JSON.stringify({ available, reserved })}`,
    );
  }
  return faults;
}

function readBalance({ data }: ApiResponse): { available: number; reserved: number } {
  const { available, reserved } = data as { available: string; reserved: string };
  const minor = (text: string) => Number(text.replace('.', ''));
  return { available: minor(available), reserved: minor(reserved) };
}

/** Repeats settled requests under their keys: the response must be byte-equal and a replay. */
export async function checkReplays(
  group: ClientGroup,
  sample: readonly LogicalRequest[],
): Promise<{ equal: number; faults: string[] }> {
  const faults: string[] = [];
  for (const request of sample) {
    const again = await tryOnce(group, group.random.oneOf(group.urls), request);
    const first = request.response;
    const isEqual =
      again.status !== undefined &&
      again.status === first?.status &&
      again.isReplay &&
      first.bytes.equals(again.bytes);
    if (isEqual) continue;
    faults.push(`${request.op}: first ${shown(first)}, then ${shown(again)}`);
  }
  return { equal: sample.length - faults.length, faults };
}

function shown(response: ApiResponse | undefined): string {
  if (response?.status === undefined) return 'no response';
  return `${response.status} ${response.bytes.toString()}`;
}
