//! What must hold after a round, seen from outside and in the journal.
import type { Pool } from 'pg';
import { type Answer, ask } from '../harness/api.ts';
import { type Crowd, tryOnce } from './client.ts';
import type { Balances, LogicalRequest } from './history.ts';

export interface JournalFindings {
  /** Acknowledged, but not in the journal. */
  lost: number;
  /** In the journal more than once. */
  doubled: number;
  /** Refused, yet in the journal; there with another amount, user or kind; asked by nobody. */
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

/** The users whose balance over HTTP is not the sum of what was acknowledged. */
export async function checkBalances(crowd: Crowd, expected: Balances): Promise<string[]> {
  const faults: string[] = [];
  for (const userId of crowd.userIds) {
    const door = { api: crowd.chance.oneOf(crowd.urls), apiKey: crowd.key };
    const answer = await ask(door, { path: `/users/${userId}/balance` });
    const told = answer.status === 200 ? readBalance(answer) : undefined;
    const { available, reserved } = expected.get(userId) ?? { available: 0, reserved: 0 };
    if (told?.available === available && told.reserved === reserved) continue;
    const saw = told === undefined ? `status ${answer.status}` : JSON.stringify(told);
    faults.push(
      `${userId}: ${saw}, but the history says ${JSON.stringify({ available, reserved })}`,
    );
  }
  return faults;
}

function readBalance({ data }: Answer): { available: number; reserved: number } {
  const { available, reserved } = data as { available: string; reserved: string };
  const minor = (text: string) => Number(text.replace('.', ''));
  return { available: minor(available), reserved: minor(reserved) };
}

/** Repeats settled requests under their keys: the same bytes must come back, marked as replay. */
export async function checkReplays(
  crowd: Crowd,
  sample: readonly LogicalRequest[],
): Promise<{ equal: number; faults: string[] }> {
  const faults: string[] = [];
  for (const request of sample) {
    const again = await tryOnce(crowd, crowd.chance.oneOf(crowd.urls), request);
    const first = request.answer;
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

function shown(answer: Answer | undefined): string {
  if (answer?.status === undefined) return 'no answer';
  return `${answer.status} ${answer.bytes.toString()}`;
}
