//! Parses a resolver's decision, and checks whether the dispute can be decided now.

import type { BodyOf } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import { canMove } from '@holdfast/contract/machine';
import { disputeMachine } from '@holdfast/contract/machines/dispute-machine';
import type { surfaceA } from '@holdfast/contract/surface-a';
import { refuseField } from '@holdfast/contract/validation';
import type { Currency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';
import type { Decision, Dispute } from '../model/dispute.ts';
import type { Order } from '../model/order.ts';

export type DecisionInput = BodyOf<typeof surfaceA.resolveDispute>;

/** It must be under review, with no decision being carried out. */
export function checkResolve({ id, status, claim }: Dispute): void {
  const isReviewed = canMove(disputeMachine, status, 'resolve');
  if (isReviewed && claim === null) return;
  refuse('INVALID_STATE', {
    resource: 'dispute',
    id,
    state: status,
    allowed: [...disputeMachine.moves.resolve.from],
    reason: isReviewed ? 'a decision is in progress' : `the dispute is ${status}`,
  });
}

type Parts = Pick<Decision, 'releaseAmount' | 'refundAmount'>;

/** Who gets how much. Amounts that are given must match the decision. */
export function readParts(
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  { decision, releaseAmount, refundAmount }: DecisionInput,
): Parts {
  const nothing = Money.zero(currency);
  const release = readPart('releaseAmount', releaseAmount, currency);
  const refund = readPart('refundAmount', refundAmount, currency);
  if (decision === 'SPLIT') return readSplit(amount, release, refund);
  const isRelease = decision === 'FULL_RELEASE';
  const expected: Parts = {
    releaseAmount: isRelease ? amount : nothing,
    refundAmount: isRelease ? nothing : amount,
  };
  if (release !== undefined && !release.equals(expected.releaseAmount))
    refusePart(release, `${decision} pays the seller ${expected.releaseAmount.text}`);
  if (refund !== undefined && !refund.equals(expected.refundAmount))
    refusePart(refund, `${decision} pays the buyer ${expected.refundAmount.text}`);
  return expected;
}

function readSplit(amount: Money, release: Money | undefined, refund: Money | undefined): Parts {
  if (release === undefined || refund === undefined)
    return refuseField(
      release === undefined ? 'releaseAmount' : 'refundAmount',
      'required',
      'releaseAmount and refundAmount are required for SPLIT',
    );
  if (release.isZero) refusePart(release, 'each side of a split must be above zero');
  if (refund.isZero) refusePart(refund, 'each side of a split must be above zero');
  const sum = release.plus(refund);
  if (!sum.equals(amount)) refusePart(sum, `the parts must sum to ${amount.text}`);
  return { releaseAmount: release, refundAmount: refund };
}

/** An amount of zero is valid where the decision agrees. */
function readPart(name: string, text: string | undefined, currency: Currency): Money | undefined {
  if (text === undefined) return undefined;
  if (/^0(\.0{1,2})?$/.test(text)) return Money.zero(currency);
  return (
    Money.read(text, currency) ??
    refuseField(name, 'format', `${name} must be a decimal string with at most two places`)
  );
}

function refusePart({ text }: Money, reason: string): never {
  return refuse('INVALID_AMOUNT', { amount: text, reason });
}
