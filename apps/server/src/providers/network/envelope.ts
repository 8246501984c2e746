//! Signed envelopes, stored before they are sent. The only SQL that writes them.
//!
//! `LedgerNetwork.send` takes only a PersistedEnvelope, and only `persist` creates one, after its
//! commit. So a caller cannot send an envelope that is not stored. Nor can it send a second one for
//! a purpose whose first may still take effect.
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';
import type { Call } from '../../platform/call.ts';
import { checkEnvelope } from '../../platform/database/lineage.ts';
import { isSigningStopped } from '../../platform/database/marketplace-stop.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import type { NetworkTransaction } from './network-transaction.ts';

/** What a signer returns. */
export interface SignedEnvelope {
  readonly hash: string;
  /** Of the transaction inside a fee bump. */
  readonly innerHash: string | null;
  readonly xdr: string;
  readonly source: string;
  readonly sequence: bigint;
  /** Unix seconds in ledger time; after it the envelope can never take effect. */
  readonly maxTime: number;
}

/** Why an envelope may not be stored. */
export interface EnvelopeFault {
  readonly reason: string;
  /** Its account has used a sequence number that no envelope here has. */
  readonly unknownNumber?: { readonly source: string; readonly sequence: bigint };
}

export const SIGNING_STOPPED = 'signing is stopped for this marketplace';
const UNKNOWN_NUMBER =
  'the account has used a sequence number that no envelope here has: a transaction was forgotten';

/** Unrecorded steps of an order, until its operation comes to them and takes them over. */
export const unrecordedDeployment = (orderId: string) => `recovered:deploy:${orderId}`;
export const unrecordedFunding = (contractId: string) => `recovered:fund:${contractId}`;

export class PersistedEnvelope {
  readonly #brand = true;
  readonly purpose: string;
  readonly attempt: number;
  readonly hash: string;
  readonly innerHash: string | null;
  readonly xdr: string;
  readonly source: string;
  readonly sequence: bigint;
  readonly maxTime: number;

  private constructor(purpose: string, attempt: number, signed: SignedEnvelope) {
    assert(this.#brand, 'created here only');
    this.purpose = purpose;
    this.attempt = attempt;
    this.hash = signed.hash;
    this.innerHash = signed.innerHash;
    this.xdr = signed.xdr;
    this.source = signed.source;
    this.sequence = signed.sequence;
    this.maxTime = signed.maxTime;
  }

  /** The open envelope of a purpose, or the one that took effect. */
  static async find(
    app: Transactor,
    call: Call,
    purpose: string,
  ): Promise<{ envelope: PersistedEnvelope; isApplied: boolean } | undefined> {
    const [row] = await read(app, call, (tx) =>
      tx.query<EnvelopeRow>(sql`
      select attempt, hash, inner_hash, xdr, source, sequence, max_time, state from envelope
      where marketplace_id = ${tx.marketplace} and purpose = ${purpose} and state in ('OPEN', 'APPLIED')`),
    );
    return row && { envelope: fromRow(purpose, row), isApplied: row.state === 'APPLIED' };
  }

  /**
   * Gives this purpose an unrecorded envelope that had the same effect, unless it has one of its
   * own. Returns whether it has one now.
   */
  static async takeOver(
    app: Transactor,
    call: Call,
    unrecorded: string,
    purpose: string,
  ): Promise<boolean> {
    const found = await read(app, call, (tx) =>
      tx.query<Row<'envelope', 'purpose' | 'state'>>(sql`
      select purpose, state from envelope
      where marketplace_id = ${tx.marketplace} and purpose in (${purpose}, ${unrecorded})
        and state in ('OPEN', 'APPLIED')`),
    );
    if (found.some((each) => each.purpose === purpose)) return true;
    if (!found.some(({ state }) => state === 'APPLIED')) return false;
    const moved = await transact(app, { ...call, idempotency: undefined }, (tx) =>
      tx.query(sql`
      update envelope set purpose = ${purpose}
      where marketplace_id = ${tx.marketplace} and purpose = ${unrecorded} and state = 'APPLIED'
      returning hash`),
    );
    return moved.length === 1;
  }

  /**
   * Stores an envelope and commits. Returns the other one when another process was faster, or why
   * none may be stored now: then nothing may be sent.
   */
  static async persist(
    app: Transactor,
    call: Call,
    purpose: string,
    signed: SignedEnvelope,
  ): Promise<PersistedEnvelope | EnvelopeFault> {
    assert(signed.maxTime > 0, 'an envelope without an upper time bound is never signed');
    const store = async (tx: Tx): Promise<EnvelopeFault | undefined> => {
      if (await isSigningStopped(tx)) return { reason: SIGNING_STOPPED };
      const { fault, isKnown } = await checkEnvelope(tx, signed);
      if (fault !== undefined) return { reason: fault };
      if (!isKnown) return { reason: UNKNOWN_NUMBER, unknownNumber: signed };
      await tx.query(sql`
        insert into envelope (marketplace_id, purpose, attempt, hash, inner_hash, xdr, source,
          sequence, max_time, state, created_at)
        select ${tx.marketplace}, ${purpose},
          1 + (select count(*) from envelope where marketplace_id = ${tx.marketplace} and purpose = ${purpose}),
          ${signed.hash}, ${signed.innerHash}, ${signed.xdr}, ${signed.source}, ${String(signed.sequence)},
          ${signed.maxTime}, 'OPEN', ${instantText(tx.now)}
        on conflict do nothing`);
      return undefined;
    };
    // Each row guards itself, and reading the number before must not conflict with its neighbours.
    const stored = { ...call, idempotency: undefined };
    const fault = await transact(app, stored, store, 'read committed');
    if (fault !== undefined) return fault;
    const found = await PersistedEnvelope.find(app, call, purpose);
    assert(found !== undefined, 'a committed envelope exists');
    return found.envelope;
  }

  static of(purpose: string, row: EnvelopeRow): PersistedEnvelope {
    return new PersistedEnvelope(purpose, row.attempt, {
      hash: row.hash,
      innerHash: row.inner_hash,
      xdr: row.xdr,
      source: row.source,
      sequence: BigInt(row.sequence),
      maxTime: Number(row.max_time),
    });
  }
}

type EnvelopeRow = Row<
  'envelope',
  'attempt' | 'hash' | 'inner_hash' | 'xdr' | 'source' | 'sequence' | 'max_time' | 'state'
>;

const fromRow = (purpose: string, row: EnvelopeRow) => PersistedEnvelope.of(purpose, row);

/**
 * A transaction that the network shows and that has no record here. False when the purpose has
 * an envelope that took effect or still may: one with the same number never will.
 */
export async function storeUnrecorded(
  tx: Tx,
  purpose: string,
  { hash, innerHash, xdr, source, sequence, maxTime, isApplied, resultXdr, at }: NetworkTransaction,
): Promise<boolean> {
  const validUntil = String(maxTime ?? Math.ceil(at / 1000));
  await tx.query(sql`
    update envelope set state = 'EXPIRED', result = 'overtaken', settled_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and purpose = ${purpose} and state = 'OPEN'
      and source = ${source} and sequence = ${String(sequence)} and hash <> ${hash}`);
  const stored = await tx.query(sql`
    insert into envelope (marketplace_id, purpose, attempt, hash, inner_hash, xdr, source, sequence,
      max_time, state, result, created_at, settled_at)
    select ${tx.marketplace}, ${purpose},
      1 + (select count(*) from envelope where marketplace_id = ${tx.marketplace} and purpose = ${purpose}),
      ${hash}, ${innerHash}, ${xdr}, ${source}, ${String(sequence)}, ${validUntil},
      ${isApplied ? 'APPLIED' : 'FAILED'}, ${resultXdr ?? null}, ${instantText(at)},
      ${instantText(tx.now)}
    on conflict do nothing returning hash`);
  return stored.length === 1;
}

/** Which of these hashes are of envelopes of any marketplace, or of the house. */
export async function knownHashes(
  pool: pg.Pool,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>('select work.own_transactions($1) as name', [
    [...new Set(hashes)],
  ]);
  return new Set(rows.map(({ name }) => name));
}

/** In any marketplace; undefined for an account that has sent nothing. */
export async function newestEnvelopeAt(
  pool: pg.Pool,
  source: string,
): Promise<Instant | undefined> {
  const { rows } = await pool.query<{ at: Instant | null }>(
    'select work.newest_envelope_at($1) as at',
    [source],
  );
  return rows[0]?.at ?? undefined;
}

/** Final, and only from OPEN: two processes with the same finding write it once. */
export async function closeEnvelope(
  app: Transactor,
  call: Call,
  envelope: PersistedEnvelope,
  state: EnvelopeRow['state'],
  result: string | null,
): Promise<void> {
  const close = (tx: Tx) =>
    tx.query(sql`
      update envelope set state = ${state}, result = ${result}, settled_at = ${instantText(tx.now)}
      where marketplace_id = ${tx.marketplace} and purpose = ${envelope.purpose}
        and attempt = ${envelope.attempt} and state = 'OPEN'`);
  await transact(app, { ...call, idempotency: undefined }, close, 'read committed');
}

/** Over all marketplaces: whether another transaction of this account may still take effect. */
export async function hasOpenEnvelope(
  pool: pg.Pool,
  source: string,
  ownPurpose: string,
): Promise<boolean> {
  const { rows } = await pool.query<{ open: boolean }>(
    'select work.has_open_envelope($1, $2) as open',
    [source, ownPurpose],
  );
  return rows[0]?.open === true;
}

/** Which of these addresses take part in a transaction that may still take effect. */
export async function listBusyAddresses(
  pool: pg.Pool,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const { rows } = await pool.query<{ address: string }>(
    'select work.busy_addresses($1) as address',
    [addresses],
  );
  return new Set(rows.map(({ address }) => address));
}
