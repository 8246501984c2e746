//! Brings a signed envelope to its effect, or proves that it never had one.
import type { Call } from '../../platform/call.ts';
import { recordUnknownNumber } from '../../platform/database/lineage.ts';
import { isSigningStopped } from '../../platform/database/marketplace-stop.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { UNKNOWN_SEQUENCE } from '../../platform/process/alarms.ts';
import { failpoint } from '../../platform/process/failpoint.ts';
import { count } from '../../platform/telemetry/metrics.ts';
import { done, type Outcome, refused, unknown } from '../outcome.ts';
import {
  closeEnvelope,
  type EnvelopeFault,
  knownHashes,
  PersistedEnvelope,
  SIGNING_STOPPED,
  type SignedEnvelope,
} from './envelope.ts';
import type { LedgerNetwork, TransactionStatus } from './ledger-network.ts';

export interface Settled {
  readonly hash: string;
  readonly resultXdr: string | undefined;
}

/**
 * Two nodes of the network may differ by half a minute. A bound that one node calls past must also
 * be past for the other, which is queried for the hash.
 */
const EXPIRY_MARGIN_SECONDS = 60;

/**
 * Brings a purpose to its effect: finds its envelope or creates one, sends it, and reads its state.
 * Refused only when the network shows FAILED, or proves that the envelope never comes in. While
 * signing is stopped nothing is signed or sent, and what is not known by look-ups stays unknown.
 */
export async function settleEnvelope(
  app: Transactor & { readonly network: LedgerNetwork },
  call: Call,
  purpose: string,
  sign: () => Promise<Outcome<SignedEnvelope>>,
): Promise<Outcome<Settled>> {
  const found = await PersistedEnvelope.find(app, call, purpose);
  if (found?.isApplied) return done({ hash: found.envelope.hash, resultXdr: undefined });
  if (found !== undefined) {
    // Stored earlier, perhaps sent: its state on the network decides, before it is sent again.
    const settled = await settleByHash(app, call, found.envelope);
    if (settled.kind !== 'absent') return settled;
    if (await read(app, call, isSigningStopped)) return unknown(SIGNING_STOPPED);
    return sendAndConfirm(app, call, found.envelope);
  }
  if (await read(app, call, isSigningStopped)) return unknown(SIGNING_STOPPED);
  failpoint(`${pointOf(purpose)}:before-sign`);
  const signed = await sign();
  failpoint(`${pointOf(purpose)}:after-sign`);
  if (signed.kind !== 'done') return signed;
  const envelope = await PersistedEnvelope.persist(app, call, purpose, signed.value);
  failpoint(`${pointOf(purpose)}:after-persist`);
  if (!(envelope instanceof PersistedEnvelope)) return notStored(app, purpose, envelope);
  return sendAndConfirm(app, call, envelope);
}

/** Unknown: the next attempt may store it. */
function notStored(
  { log }: Pick<Transactor, 'log'>,
  purpose: string,
  { reason, unknownNumber }: EnvelopeFault,
): Outcome<Settled> {
  if (unknownNumber !== undefined) {
    const { source, sequence } = unknownNumber;
    log.error({ purpose, source, sequence: String(sequence) }, UNKNOWN_SEQUENCE);
    count('holdfast_fence_refusals_total', { rule: 'sequence' });
    recordUnknownNumber(source);
  }
  return unknown(reason);
}

/** Purposes end in the id of their operation; failpoints are named for all of a kind. */
function pointOf(purpose: string): string {
  return purpose.replace(/:?op_\w+$/, '') || 'envelope';
}

async function sendAndConfirm(
  app: Transactor & { readonly network: LedgerNetwork },
  call: Call,
  envelope: PersistedEnvelope,
): Promise<Outcome<Settled>> {
  failpoint(`${pointOf(envelope.purpose)}:before-send`);
  const sent = await app.network.send(envelope);
  failpoint(`${pointOf(envelope.purpose)}:after-send`);
  if (sent.kind === 'done' && sent.value.status !== 'absent') {
    return recordResult(app, call, envelope, sent.value);
  }
  // The caller learns at once that the outcome is unknown; the next check settles it.
  if (sent.kind === 'unknown') return unknown(sent.reason);
  // The reply to sending proves little; the ledger itself is the proof.
  const settled = await settleByHash(app, call, envelope);
  if (settled.kind !== 'absent') return settled;
  return unknown('the network does not show it yet');
}

/** Time and sequence are read before the hash: only then does an absent hash prove anything. */
async function settleByHash(
  app: Transactor & { readonly network: LedgerNetwork },
  call: Call,
  envelope: PersistedEnvelope,
): Promise<Outcome<Settled> | { readonly kind: 'absent' }> {
  const time = await app.network.closeTime();
  const account = await app.network.account(envelope.source);
  const result = await app.network.findTransaction(envelope.hash);
  if (result.kind !== 'done') return unknown(result.reason);
  if (result.value.status !== 'absent') return recordResult(app, call, envelope, result.value);
  const isPast = time.kind === 'done' && time.value > envelope.maxTime + EXPIRY_MARGIN_SECONDS;
  const isUsed =
    account.kind === 'done' &&
    account.value !== null &&
    account.value.sequence >= envelope.sequence;
  const used = isUsed ? await usedBy(app, envelope) : 'nothing';
  if (used === 'an unrecorded one') return notStored(app, envelope.purpose, unrecorded(envelope));
  const never = isPast ? 'expired' : used === 'another one' && 'overtaken';
  if (!never) return { kind: 'absent' };
  await closeEnvelope(app, call, envelope, 'EXPIRED', never);
  return refused(never, 'the transaction was not included in time and is no longer valid');
}

const unrecorded = ({ source, sequence }: PersistedEnvelope): EnvelopeFault => ({
  reason: 'a transaction without a record here has used its sequence number',
  unknownNumber: { source, sequence },
});

/**
 * A used sequence number alone proves nothing: the envelope may have used it itself, while the node
 * queried for its hash is behind. The network must show the other transaction. Without a record
 * here, that one may have paid the same already: a restored database has forgotten it.
 */
async function usedBy(
  { network, pool }: Pick<Transactor, 'pool'> & { readonly network: LedgerNetwork },
  { source, sequence, hash }: PersistedEnvelope,
): Promise<'nothing' | 'another one' | 'an unrecorded one'> {
  const users = await network.usersOf(source, sequence);
  if (users.kind !== 'done' || users.value.length === 0 || users.value.includes(hash))
    return 'nothing';
  const known = await knownHashes(pool, users.value);
  return users.value.every((each) => known.has(each)) ? 'another one' : 'an unrecorded one';
}

async function recordResult(
  app: Transactor,
  call: Call,
  envelope: PersistedEnvelope,
  result: TransactionStatus,
): Promise<Outcome<Settled>> {
  failpoint(`${pointOf(envelope.purpose)}:after-reply`);
  if (result.status === 'applied') {
    await closeEnvelope(app, call, envelope, 'APPLIED', result.resultXdr ?? null);
    return done({ hash: envelope.hash, resultXdr: result.resultXdr });
  }
  const code = result.status === 'failed' ? result.code : 'absent';
  await closeEnvelope(app, call, envelope, 'FAILED', code);
  return refused(code, 'the network shows the transaction as failed');
}
