//! Identifiers: a type prefix, 11 characters of time, then 16 random characters.
//!
//! Time comes first, in microseconds, so ids sort by creation and a page cursor needs no second
//! column. 80 random bits follow, so an id cannot be found by counting. Letters are lower-case
//! Crockford base 32 (no i, l, o, u), so an id survives being read out on the telephone.
import { encodeBase32 } from '#base32';
import type { Instant } from '#clock';
import { type Random, systemRandom } from '#random';

/** Every identifier prefix there is. The prefix is the type: an OrderId is any `ord_…` string. */
export const PREFIXES = {
  usr: 'user',
  ord: 'order',
  esc: 'escrow',
  dsp: 'dispute',
  evt: 'event',
  mkt: 'marketplace',
  key: 'API key',
  topup: 'top-up',
  wd: 'withdrawal',
  mil: 'milestone',
  rsv: 'reservation',
  aud: 'audit entry',
  op: 'provider operation',
  prj: 'project',
  txn: 'history line',
  wal: 'wallet',
  rec: 'reconciliation run',
  exc: 'reconciliation exception',
  fnd: 'finding of a recovery',
  whe: 'webhook endpoint',
  whd: 'webhook delivery',
  whr: 'webhook replay',
  inb: 'provider notification',
  note: 'internal note',
  evd: 'evidence',
  req: 'logged request',
  opr: 'operator',
  apr: 'approval',
  ses: 'session of an operator',
} as const;

export type Prefix = keyof typeof PREFIXES;
export type Id<P extends Prefix> = `${P}_${string}`;

export type UserId = Id<'usr'>;
export type OrderId = Id<'ord'>;
export type EscrowId = Id<'esc'>;
export type DisputeId = Id<'dsp'>;
export type EventId = Id<'evt'>;
export type MarketplaceId = Id<'mkt'>;
export type ApiKeyId = Id<'key'>;
export type TopupId = Id<'topup'>;
export type WithdrawalId = Id<'wd'>;
export type MilestoneId = Id<'mil'>;
export type ReservationId = Id<'rsv'>;
export type AuditId = Id<'aud'>;
export type OperationId = Id<'op'>;
export type ProjectId = Id<'prj'>;
export type HistoryLineId = Id<'txn'>;
export type WalletId = Id<'wal'>;
export type RunId = Id<'rec'>;
export type ExceptionId = Id<'exc'>;
export type FindingId = Id<'fnd'>;
export type WebhookEndpointId = Id<'whe'>;
export type WebhookDeliveryId = Id<'whd'>;
export type WebhookReplayId = Id<'whr'>;
export type NotificationId = Id<'inb'>;
export type NoteId = Id<'note'>;
export type EvidenceId = Id<'evd'>;
export type LoggedRequestId = Id<'req'>;
export type OperatorId = Id<'opr'>;
export type ApprovalId = Id<'apr'>;
export type SessionId = Id<'ses'>;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 11;
const RANDOM_CHARACTERS = 16;
const BODY = '[0-9a-hjkmnp-tv-z]{20,32}';

/** The pattern of an id, for schemas. */
export function idPattern(prefix: Prefix): string {
  return `^${prefix}_${BODY}$`;
}

const PATTERNS = Object.fromEntries(
  Object.keys(PREFIXES).map((prefix) => [prefix, new RegExp(idPattern(prefix as Prefix))]),
) as Record<Prefix, RegExp>;

/** The only conversion from external text to an id. */
export function readId<P extends Prefix>(prefix: P, text: string): Id<P> | undefined {
  return PATTERNS[prefix].test(text) ? (text as Id<P>) : undefined;
}

let lastMicros = 0;

/** How far an id may lie after its time, so that it sorts after those made before it. */
const AHEAD_MICROS_MAX = 1_000_000;

/**
 * Strictly increasing within a process, so that ids made one after the other sort that way: within
 * a millisecond the microseconds count. A clock that was set back is followed: an id that stayed
 * behind at the later time would escape every filter by time.
 */
function nextMicros(at: Instant): number {
  const micros = at * 1000;
  const isNear = micros <= lastMicros && micros > lastMicros - AHEAD_MICROS_MAX;
  lastMicros = isNear ? lastMicros + 1 : micros;
  return lastMicros;
}

const randomBytes = new Uint8Array(10);

/**
 * A new id of a record that is made at this time, by the clock that also writes its `createdAt`:
 * lists find a record by the time in its id.
 */
export function newId<P extends Prefix>(
  prefix: P,
  at: Instant,
  random: Random = systemRandom,
): Id<P> {
  return `${prefix}_${timePart(nextMicros(at))}${randomPart(random)}`;
}

/** An id whose time is given, in microseconds: for a record of something that happened then. */
export function idAt<P extends Prefix>(
  prefix: P,
  micros: number,
  random: Random = systemRandom,
): Id<P> {
  return `${prefix}_${timePart(micros)}${randomPart(random)}`;
}

/** The time at the start of an id, in microseconds. */
export function microsOf(id: Id<Prefix>): number {
  const body = id.slice(id.indexOf('_') + 1);
  let micros = 0;
  for (const letter of body.slice(0, TIME_CHARACTERS))
    micros = micros * 32 + ALPHABET.indexOf(letter);
  return micros;
}

/** The smallest id body of an instant: bounds of a partition, or of a `created_after` filter. */
export function idFloor<P extends Prefix>(prefix: P, instant: number): Id<P> {
  return `${prefix}_${timePart(Math.max(0, instant) * 1000)}${'0'.repeat(RANDOM_CHARACTERS)}`;
}

function timePart(micros: number): string {
  let text = '';
  let rest = micros;
  for (let at = 0; at < TIME_CHARACTERS; at += 1) {
    const next = Math.floor(rest / 32);
    text = (ALPHABET[rest - next * 32] as string) + text;
    rest = next;
  }
  return text;
}

function randomPart(random: Random): string {
  random.fill(randomBytes);
  return encodeBase32(randomBytes, ALPHABET);
}
