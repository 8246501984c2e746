//! Brings what was signed to its effect, or proves that it never had one.
import type { Call } from '../platform/call.ts';
import { failpoint } from '../platform/failpoint.ts';
import type { Transactor } from '../platform/transact.ts';
import { closeEnvelope, PersistedEnvelope, type SignedEnvelope } from './envelope.ts';
import type { LedgerNetwork, NetworkFate } from './ledger-network.ts';
import { done, type Outcome, refused, unknown } from './outcome.ts';

export interface Settled {
  readonly hash: string;
  readonly resultXdr: string | undefined;
}

/**
 * Two nodes of the network may differ by half a minute. What one of them calls past must be so for
 * the other, which is asked for the hash.
 */
const EXPIRY_MARGIN_SECONDS = 60;

/**
 * Brings a purpose to its effect: finds its envelope or makes one, sends it, and looks it up.
 * Refused only when the network shows FAILED, or proves that the envelope never comes in.
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
    // Written down earlier, perhaps sent: what became of it decides, before anything is sent again.
    const settled = await settleByLookUp(app, call, found.envelope);
    return settled.kind === 'absent' ? sendAndFollow(app, call, found.envelope) : settled;
  }
  failpoint(`${pointOf(purpose)}:before-sign`);
  const signed = await sign();
  failpoint(`${pointOf(purpose)}:after-sign`);
  if (signed.kind !== 'done') return signed;
  const envelope = await PersistedEnvelope.persist(app, call, purpose, signed.value);
  failpoint(`${pointOf(purpose)}:after-persist`);
  return sendAndFollow(app, call, envelope);
}

/** Purposes end in the id of their operation; failpoints are named for all of a kind. */
function pointOf(purpose: string): string {
  return purpose.replace(/:?op_\w+$/, '') || 'envelope';
}

async function sendAndFollow(
  app: Transactor & { readonly network: LedgerNetwork },
  call: Call,
  envelope: PersistedEnvelope,
): Promise<Outcome<Settled>> {
  failpoint(`${pointOf(envelope.purpose)}:before-send`);
  const sent = await app.network.send(envelope);
  failpoint(`${pointOf(envelope.purpose)}:after-send`);
  if (sent.kind === 'done' && sent.value.fate !== 'absent') {
    return note(app, call, envelope, sent.value);
  }
  // Whoever waits is told at once that the outcome is open; the next look settles it.
  if (sent.kind === 'unknown') return unknown(sent.reason);
  // The answer to sending says little; the ledger itself says all.
  const settled = await settleByLookUp(app, call, envelope);
  if (settled.kind !== 'absent') return settled;
  return unknown('the network does not show it yet');
}

/** Time and sequence are read before the hash: only then does an absent hash prove anything. */
async function settleByLookUp(
  app: Transactor & { readonly network: LedgerNetwork },
  call: Call,
  envelope: PersistedEnvelope,
): Promise<Outcome<Settled> | { readonly kind: 'absent' }> {
  const time = await app.network.closeTime();
  const account = await app.network.account(envelope.source);
  const fate = await app.network.lookUp(envelope.hash);
  if (fate.kind !== 'done') return unknown(fate.reason);
  if (fate.value.fate !== 'absent') return note(app, call, envelope, fate.value);
  const isPast = time.kind === 'done' && time.value > envelope.maxTime + EXPIRY_MARGIN_SECONDS;
  const isUsed =
    account.kind === 'done' &&
    account.value !== null &&
    account.value.sequence >= envelope.sequence;
  const never = isPast ? 'expired' : isUsed && (await isOvertaken(app, envelope)) && 'overtaken';
  if (!never) return { kind: 'absent' };
  await closeEnvelope(app, call, envelope, 'EXPIRED', never);
  return refused(never, 'the network never took it and never will');
}

/**
 * That its number is used proves nothing: it may have used it itself, and the node that was asked
 * for its hash be behind. The other transaction must be shown.
 */
async function isOvertaken(
  { network }: { readonly network: LedgerNetwork },
  { source, sequence, hash }: PersistedEnvelope,
): Promise<boolean> {
  const users = await network.usersOf(source, sequence);
  return users.kind === 'done' && users.value.length > 0 && !users.value.includes(hash);
}

async function note(
  app: Transactor,
  call: Call,
  envelope: PersistedEnvelope,
  fate: NetworkFate,
): Promise<Outcome<Settled>> {
  failpoint(`${pointOf(envelope.purpose)}:after-answer`);
  if (fate.fate === 'applied') {
    await closeEnvelope(app, call, envelope, 'APPLIED', fate.resultXdr ?? null);
    return done({ hash: envelope.hash, resultXdr: fate.resultXdr });
  }
  const code = fate.fate === 'failed' ? fate.code : 'absent';
  await closeEnvelope(app, call, envelope, 'FAILED', code);
  return refused(code, 'the network shows the transaction as failed');
}
