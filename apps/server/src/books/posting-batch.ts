//! Many postings as the arguments of one call of books.post_batch, with the sums worked out here.
import type { AuditId, ReservationId } from '@holdfast/kernel/ids';
import type { Posting } from './posting.ts';

export interface QueuedPosting extends Posting {
  readonly auditId: AuditId;
  readonly reservationId: ReservationId | null;
}

export const POST_BATCH = {
  name: 'post-batch',
  text: `select * from books.post_batch(${Array.from({ length: 37 }, (_, at) => `$${at + 1}`).join(',')})`,
};

const SET_BASED = new Set<Posting['kind']>(['credit', 'debit', 'reserve']);

/** One account's way through the batch: where it ends, and how low and high it gets. */
interface Course {
  readonly posting: QueuedPosting;
  slot: number;
  available: bigint;
  reserved: bigint;
  low: bigint;
  high: bigint;
  entries: number;
}

/** True when only post_one can decide: holds to pick from, or one reference twice in a batch. */
function needsExactPath(batch: readonly QueuedPosting[]): boolean {
  const references = new Set<string>();
  for (const posting of batch) {
    if (!SET_BASED.has(posting.kind)) return true;
    if (posting.reference === null) continue;
    const name = `${posting.marketplace} ${posting.account.ownerId} ${posting.reference}`;
    if (references.has(name)) return true;
    references.add(name);
  }
  return false;
}

/** The arguments of POST_BATCH, in its order. */
export function batchArguments(
  batch: readonly QueuedPosting[],
  now: string,
  defaultLimit: bigint | null,
  exact: boolean,
): unknown[] {
  const courses = new Map<string, Course>();
  const houses = new Map<string, { posting: QueuedPosting; delta: bigint }>();
  for (const posting of batch) {
    if (!courses.has(posting.account.id)) {
      courses.set(posting.account.id, {
        posting,
        slot: 0,
        available: 0n,
        reserved: 0n,
        low: 0n,
        high: 0n,
        entries: 0,
      });
    }
  }
  // Accounts in id order: every writer locks them in the same one.
  const sorted = [...courses.values()].sort((one, other) =>
    byNumber(one.posting.account.id, other.posting.account.id),
  );
  for (const [at, course] of sorted.entries()) course.slot = at + 1;

  const [slots, seqs, availables, reserveds]: [number[], number[], bigint[], bigint[]] = [
    [],
    [],
    [],
    [],
  ];
  for (const posting of batch) {
    const course = courses.get(posting.account.id) as Course;
    follow(course, posting);
    slots.push(course.slot);
    seqs.push(course.entries);
    availables.push(course.available);
    reserveds.push(course.reserved);
    if (posting.house !== null) {
      const house = houses.get(posting.house) ?? { posting, delta: 0n };
      house.delta += posting.kind === 'credit' ? -posting.amount : posting.amount;
      houses.set(posting.house, house);
    }
  }
  const house = [...houses.values()];
  return [
    now,
    defaultLimit === null ? null : String(defaultLimit),
    exact || needsExactPath(batch),
    plain(batch, (p) => p.kind),
    plain(batch, (p) => p.marketplace),
    plain(batch, (p) => p.account.id),
    plain(batch, (p) => p.house),
    plain(batch, (p) => p.amount),
    quoted(batch, (p) => p.subject),
    plain(batch, (p) => p.actorId),
    quoted(batch, (p) => p.correlationId),
    quoted(batch, (p) => p.reference),
    quoted(batch, (p) => p.note),
    plain(batch, (p) => p.scopeHash),
    plain(batch, (p) => p.requestHash),
    plain(batch, (p) => p.auditId),
    plain(batch, (p) => p.reservationId),
    plain(batch, (p) => p.account.ownerId),
    plain(slots),
    plain(seqs),
    plain(availables),
    plain(reserveds),
    plain(sorted, (c) => c.posting.account.id),
    plain(sorted, (c) => c.posting.marketplace),
    plain(sorted, (c) => c.posting.account.currency),
    plain(sorted, (c) => c.low),
    plain(sorted, (c) => c.high),
    plain(sorted, (c) => c.available),
    plain(sorted, (c) => c.reserved),
    plain(sorted, (c) => c.entries),
    plain(house, (h) => h.posting.house),
    plain(house, (h) => h.posting.marketplace),
    plain(house, (h) => h.posting.account.currency),
    plain(house, (h) => h.delta),
    batch.some((p) => p.scopeHash !== null),
    batch.some((p) => p.reference !== null),
    batch.some((p) => p.reservationId !== null),
  ];
}

function follow(course: Course, { kind, amount }: Posting): void {
  course.entries += 1;
  if (kind === 'credit') course.available += amount;
  else if (kind === 'debit' || kind === 'reserve') course.available -= amount;
  if (kind === 'reserve') course.reserved += amount;
  if (course.available < course.low) course.low = course.available;
  if (course.available + course.reserved > course.high)
    course.high = course.available + course.reserved;
}

function byNumber(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

type Cell = string | number | bigint | null;

/** A PostgreSQL array literal of values that need no quotes. By hand: the driver's way costs more. */
function plain<T>(rows: readonly T[], cell: (row: T) => Cell = (row) => row as Cell): string {
  let text = '';
  for (const row of rows) {
    const value = cell(row);
    text += value === null ? ',NULL' : `,${value}`;
  }
  return `{${text.slice(1)}}`;
}

/** The same for text from outside. */
function quoted<T>(rows: readonly T[], cell: (row: T) => string | null): string {
  let text = '';
  for (const row of rows) {
    const value = cell(row);
    text +=
      value === null
        ? ',NULL'
        : `,"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  }
  return `{${text.slice(1)}}`;
}
