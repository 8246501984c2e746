//! What all balance requests share: find the accounts, post, and tell what became of it.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import { assertNever } from '@holdfast/kernel/assert';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import { type Money, minorText } from '@holdfast/kernel/money';
import { type Call, Replay, reasonWith, type TenantActor } from '../platform/call.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { read, type Transactor } from '../platform/transact.ts';
import type { AccountNumbers, Balance } from './account.ts';
import { getEntry } from './entry.ts';
import type { Posted, PostingKind, PostingRefusal } from './posting.ts';
import type { PostingQueue } from './posting-queue.ts';

export interface Books extends Transactor {
  readonly accounts: AccountNumbers;
  readonly postings: PostingQueue;
}

/** A balance as one request left it. A repeated request gets the first one's, to the byte. */
export interface PostedBalance extends Balance {
  readonly requestId: string;
  readonly isReplay: boolean;
}

export interface Wish {
  readonly kind: PostingKind;
  readonly userId: UserId;
  readonly currency?: Currency | undefined;
  /** Null for what the holds themselves decide. */
  readonly amount: Money | null;
  readonly orderId?: string | undefined;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
}

const THROUGH_ADJUSTMENTS = new Set<PostingKind>(['credit', 'debit', 'spend']);

export async function post(
  app: Books,
  call: Call<TenantActor>,
  wish: Wish,
): Promise<PostedBalance> {
  const { actor, requestId, idempotency } = call;
  const { kind, userId, currency = BASE_CURRENCY, amount } = wish;
  const found = app.accounts.ofUser(actor.marketplace, userId, currency);
  const account = found instanceof Promise ? await found : found;
  if (account === undefined) return refuse('USER_NOT_FOUND', { userId });
  const house = THROUGH_ADJUSTMENTS.has(kind)
    ? app.accounts.ofHouse(actor.marketplace, 'adjustments', currency)
    : null;
  const posted = await app.postings.post({
    kind,
    account,
    marketplace: actor.marketplace,
    house: house instanceof Promise ? await house : house,
    amount: amount?.minor ?? 0n,
    subject: wish.orderId ?? null,
    actorId: actor.id,
    correlationId: requestId,
    reference: wish.reference ?? null,
    note: reasonWith(actor, wish.note ?? null),
    scopeHash: idempotency?.scopeHash ?? null,
    requestHash: idempotency || wish.reference ? wishHash(wish) : null,
  });
  return balanceOf(app, call, { ...wish, currency }, posted);
}

/** Two requests that wish for the same are the same, however their bodies spell it. */
function wishHash(wish: Wish): string {
  const { kind, currency = BASE_CURRENCY, amount, orderId, reference, note } = wish;
  return fingerprint(JSON.stringify([kind, currency, amount?.text, orderId, reference, note]));
}

async function balanceOf(
  app: Books,
  call: Call,
  wish: Wish & { currency: Currency },
  posted: Posted,
): Promise<PostedBalance> {
  const { userId, currency } = wish;
  switch (posted.result) {
    case 'done':
      return {
        userId,
        currency,
        available: posted.available,
        reserved: posted.reserved,
        at: posted.at,
        requestId: call.requestId,
        isReplay: false,
      };
    case 'refused':
      return refusePosting(wish, posted);
    case 'replayed':
      if (posted.requestHash !== wishHash(wish)) refuse('IDEMPOTENCY_KEY_REUSED', {});
      if (posted.refusal !== null)
        return replayRefusal(call, () =>
          refusePosting(wish, { ...posted, refusal: posted.refusal as PostingRefusal }),
        );
      return firstAnswer(app, call, wish, posted.entryId as string, true);
    case 'repeated':
      if (posted.requestHash !== wishHash(wish))
        refuse('REFERENCE_REUSED', { reference: wish.reference ?? '' });
      return firstAnswer(app, call, wish, posted.entryId, false);
    default:
      return assertNever(posted);
  }
}

async function firstAnswer(
  app: Books,
  call: Call,
  { userId, currency }: Wish & { currency: Currency },
  entryId: string,
  isReplay: boolean,
): Promise<PostedBalance> {
  const entry = await read(app, call, (tx) => getEntry(tx, entryId));
  const { available, reserved, at } = entry;
  return {
    userId,
    currency,
    available,
    reserved,
    at,
    requestId: isReplay ? entry.correlationId : call.requestId,
    isReplay,
  };
}

/** The answer is rendered again from the same facts: the same bytes. */
function replayRefusal(call: Call, refused: () => never): never {
  try {
    return refused();
  } catch (error) {
    const answer = call.idempotency?.renderRefusal(error as Error);
    if (answer === undefined) throw error;
    throw new Replay(answer);
  }
}

function refusePosting(
  wish: Wish & { currency: Currency },
  { refusal, have, reason }: { refusal: PostingRefusal; have: bigint; reason: string | null },
): never {
  const { currency, orderId } = wish;
  const requested = minorText(wish.amount?.minor ?? 0n);
  const owner = reason === null ? {} : { reason: `the rest is held: ${reason}` };
  switch (refusal) {
    case 'INSUFFICIENT_FUNDS':
      return refuse(refusal, { requested, available: minorText(have), currency });
    case 'RESERVATION_EXCEEDED':
    case 'INVALID_RESERVED_DEDUCTION':
      return refuse(refusal, { requested, reserved: minorText(have), currency, ...owner });
    case 'RESERVATION_NOT_FOUND':
      return refuse(refusal, {
        orderId: orderId ?? '',
        reason: owner.reason ?? 'no manual reservation of this order is active',
      });
    case 'ADJUSTMENT_LIMIT':
      return refuse(refusal, {
        requested,
        limit: minorText(BigInt(reason ?? 0)),
        used: minorText(have > 0n ? have : 0n),
        currency,
      });
    case 'BALANCE_CEILING':
      return refuse('INVALID_AMOUNT', {
        amount: requested,
        reason: 'the balance would exceed what an account can hold',
      });
    case 'REFERENCE_REUSED':
      return refuse(refusal, { reference: wish.reference ?? '' });
    default:
      return assertNever(refusal);
  }
}
