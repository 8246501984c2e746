//! Shared by all balance requests: find the accounts, post, and return the result.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import { assertNever } from '@holdfast/kernel/assert';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import { type Money, minorText } from '@holdfast/kernel/money';
import { type Call, Replay, reasonWith, type TenantActor } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import type { AccountNumbers, Balance } from './account.ts';
import { getEntry } from './entry.ts';
import type { Posted, PostingKind, PostingRefusal } from './posting.ts';
import type { PostingQueue } from './posting-queue.ts';

export interface Books extends Transactor {
  readonly accounts: AccountNumbers;
  readonly postings: PostingQueue;
}

/** A balance as one request left it. A repeated request gets the first one's, byte for byte. */
export interface PostedBalance extends Balance {
  readonly requestId: string;
  readonly isReplay: boolean;
}

export interface PostingCommand {
  readonly kind: PostingKind;
  readonly userId: UserId;
  readonly currency?: Currency | undefined;
  /** Null where the holds themselves determine it. */
  readonly amount: Money | null;
  readonly orderId?: string | undefined;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
}

const THROUGH_ADJUSTMENTS = new Set<PostingKind>(['credit', 'debit', 'spend']);

export async function post(
  app: Books,
  call: Call<TenantActor>,
  command: PostingCommand,
): Promise<PostedBalance> {
  const { actor, requestId, idempotency } = call;
  const { kind, userId, currency = BASE_CURRENCY, amount } = command;
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
    subject: command.orderId ?? null,
    actorId: actor.id,
    correlationId: requestId,
    reference: command.reference ?? null,
    note: reasonWith(actor, command.note ?? null),
    scopeHash: idempotency?.scopeHash ?? null,
    requestHash: idempotency || command.reference ? requestHash(command) : null,
    client: call.client,
  });
  return balanceOf(app, call, { ...command, currency }, posted);
}

/** Two requests with the same content are the same, however their bodies spell it. */
function requestHash(command: PostingCommand): string {
  const { kind, currency = BASE_CURRENCY, amount, orderId, reference, note } = command;
  return fingerprint(JSON.stringify([kind, currency, amount?.text, orderId, reference, note]));
}

async function balanceOf(
  app: Books,
  call: Call,
  command: PostingCommand & { currency: Currency },
  posted: Posted,
): Promise<PostedBalance> {
  const { userId, currency } = command;
  switch (posted.result) {
    case 'done':
      call.onWrite?.({ id: posted.entryId, requestId: call.requestId, at: posted.at });
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
      // Once the stop is lifted, the same request is posted.
      if (posted.refusal !== 'MARKETPLACE_FROZEN') call.idempotency?.onRefusalStored?.();
      return refusePosting(command, posted);
    case 'replayed':
      if (posted.requestHash !== requestHash(command)) refuse('IDEMPOTENCY_KEY_REUSED', {});
      if (posted.refusal !== null)
        return replayRefusal(call, () =>
          refusePosting(command, { ...posted, refusal: posted.refusal as PostingRefusal }),
        );
      return firstResult(app, call, command, posted.entryId as string, true);
    case 'repeated':
      if (posted.requestHash !== requestHash(command))
        refuse('REFERENCE_REUSED', { reference: command.reference ?? '' });
      return firstResult(app, call, command, posted.entryId, false);
    default:
      return assertNever(posted);
  }
}

async function firstResult(
  app: Books,
  call: Call,
  { userId, currency }: PostingCommand & { currency: Currency },
  entryId: string,
  isReplay: boolean,
): Promise<PostedBalance> {
  const entry = await read(app, call, (tx) => getEntry(tx, entryId));
  const { available, reserved, at } = entry;
  call.onWrite?.({ id: entryId, requestId: entry.correlationId, at });
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

/** The response is rendered again from the same facts: the same bytes. */
function replayRefusal(call: Call, refused: () => never): never {
  try {
    return refused();
  } catch (error) {
    const response = call.idempotency?.renderRefusal(error as Error);
    if (response === undefined) throw error;
    throw new Replay(response);
  }
}

function refusePosting(
  command: PostingCommand & { currency: Currency },
  { refusal, have, reason }: { refusal: PostingRefusal; have: bigint; reason: string | null },
): never {
  const { currency, orderId } = command;
  const requested = minorText(command.amount?.minor ?? 0n);
  const owner = reason === null ? {} : { reason: `the rest is held by ${reason}` };
  switch (refusal) {
    case 'INSUFFICIENT_FUNDS':
      return refuse(refusal, {
        requested,
        available: minorText(have),
        ...(reason === null ? {} : { unconfirmed: minorText(BigInt(reason)) }),
        currency,
      });
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
        reason: 'the balance would exceed the maximum of an account',
      });
    case 'MARKETPLACE_FROZEN':
      return refuse(refusal, reason === null ? {} : { reason });
    case 'REFERENCE_REUSED':
      return refuse(refusal, { reference: command.reference ?? '' });
    default:
      return assertNever(refusal);
  }
}
