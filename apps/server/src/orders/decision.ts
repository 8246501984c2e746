//! Reads what a resolver decided, and whether it can be decided now.
import { disputeMachine } from '@holdfast/contract/dispute-machine';
import type { BodyOf } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import { canMove } from '@holdfast/contract/machine';
import type { surfaceA } from '@holdfast/contract/surface-a';
import type { Currency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';
import type { Decision, Dispute } from './dispute.ts';
import type { Order } from './order.ts';

export type DecisionWish = BodyOf<typeof surfaceA.resolveDispute>;

/** Under review, and nobody's decision is being carried out. */
export function checkResolve({ id, status, claim }: Dispute): void {
  const isReviewed = canMove(disputeMachine, status, 'resolve');
  if (isReviewed && claim === null) return;
  refuse('INVALID_STATE', {
    resource: 'dispute',
    id,
    state: status,
    allowed: [...disputeMachine.moves.resolve.from],
    reason: isReviewed ? 'a decision is being carried out' : `the dispute is ${status}`,
  });
}

type Parts = Pick<Decision, 'releaseAmount' | 'refundAmount'>;

/** Who gets what. Parts that are given must be what the decision means. */
export function readParts(
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  { decision, releaseAmount, refundAmount }: DecisionWish,
): Parts {
  const nothing = Money.zero(currency);
  const release = readPart('releaseAmount', releaseAmount, currency);
  const refund = readPart('refundAmount', refundAmount, currency);
  if (decision === 'SPLIT') return readSplit(amount, release, refund);
  const isRelease = decision === 'FULL_RELEASE';
  const meant: Parts = {
    releaseAmount: isRelease ? amount : nothing,
    refundAmount: isRelease ? nothing : amount,
  };
  if (release !== undefined && !release.equals(meant.releaseAmount))
    refusePart(release, `${decision} pays the seller ${meant.releaseAmount.text}`);
  if (refund !== undefined && !refund.equals(meant.refundAmount))
    refusePart(refund, `${decision} pays the buyer ${meant.refundAmount.text}`);
  return meant;
}

function readSplit(amount: Money, release: Money | undefined, refund: Money | undefined): Parts {
  if (release === undefined || refund === undefined)
    return refuse('VALIDATION_ERROR', {
      validationErrors: ['releaseAmount and refundAmount are needed for SPLIT'],
    });
  if (release.isZero) refusePart(release, 'each side of a split gets something');
  if (refund.isZero) refusePart(refund, 'each side of a split gets something');
  const sum = release.plus(refund);
  if (!sum.equals(amount)) refusePart(sum, `the parts must sum to ${amount.text}`);
  return { releaseAmount: release, refundAmount: refund };
}

/** Nothing at all is a part too, where the decision agrees. */
function readPart(name: string, text: string | undefined, currency: Currency): Money | undefined {
  if (text === undefined) return undefined;
  if (/^0(\.0{1,2})?$/.test(text)) return Money.zero(currency);
  return (
    Money.read(text, currency) ??
    refuse('VALIDATION_ERROR', {
      validationErrors: [`${name} must be a decimal string with at most two places`],
    })
  );
}

function refusePart({ text }: Money, reason: string): never {
  return refuse('INVALID_AMOUNT', { amount: text, reason });
}
