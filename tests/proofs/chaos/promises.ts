//! Checks that every state in a 2xx response still holds at the end, or has moved forward.
import type { Reported } from './notebook.ts';
import type { SeenDispute, SeenOrder } from './order.ts';

const STATUS_RANKS: Readonly<Record<string, number>> = {
  ORDER_CREATED: 0,
  FUNDS_RESERVED: 1,
  ESCROW_CREATING: 2,
  ESCROW_FUNDING: 3,
  IN_PROGRESS: 4,
  RELEASE_REQUESTED: 5,
  REFUND_REQUESTED: 5,
  DISPUTED: 5,
  RELEASED: 6,
  REFUNDED: 6,
  CLOSED: 7,
};
const ESCROW_RANKS: Readonly<Record<string, number>> = {
  CREATING: 0,
  CREATED: 1,
  FUNDING: 2,
  FUNDED: 3,
  DISPUTED: 4,
  RELEASED: 5,
  REFUNDED: 5,
};
const DISPUTE_RANKS: Readonly<Record<string, number>> = { OPEN: 0, UNDER_REVIEW: 1, RESOLVED: 2 };
/** States that a refusal may still undo. */
const UNDONE: readonly string[] = ['ESCROW_CREATING', 'RELEASE_REQUESTED', 'REFUND_REQUESTED'];

export function brokenPromises(
  reported: readonly Reported[],
  finals: ReadonlyMap<string, SeenOrder>,
): string[] {
  const broken = reported.flatMap(({ by, order, dispute }) => {
    const id = order?.id ?? dispute?.orderId ?? '';
    const final = finals.get(id);
    if (final === undefined) return [`${id} was returned by ${by}, and is gone`];
    const found = [
      ...(order === undefined ? [] : brokenOrder(order, final)),
      ...(dispute === undefined ? [] : brokenDispute(dispute, final.dispute)),
    ];
    return found.map((text) => `${id}: ${by} returned ${text}`);
  });
  return [...new Set(broken)];
}

function brokenOrder(reported: SeenOrder, final: SeenOrder): string[] {
  const broken: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) broken.push(text);
  };
  const holds = rank(STATUS_RANKS, final.status) >= rank(STATUS_RANKS, reported.status);
  claim(holds || UNDONE.includes(reported.status), `${reported.status}, and it is ${final.status}`);
  if (reported.closeReason !== null)
    claim(
      reported.closeReason === final.closeReason,
      `${reported.closeReason}, not ${final.closeReason}`,
    );
  for (const { ref, status } of reported.milestones) {
    const now = final.milestones.find((each) => each.ref === ref)?.status;
    claim(status !== 'COMPLETED' || now === status, `${ref} ${status}, and it is ${now}`);
  }
  claim(reported.amount === final.amount, `${reported.amount}, and it is ${final.amount}`);
  claim(reported.fee === final.fee, `a fee of ${reported.fee}, and it is ${final.fee}`);
  if (reported.dispute !== null) broken.push(...brokenDispute(reported.dispute, final.dispute));
  return [...broken, ...brokenEscrow(reported.escrow, final.escrow)];
}

/** An escrow that was never funded may have been replaced by another. */
function brokenEscrow(reported: SeenOrder['escrow'], final: SeenOrder['escrow']): string[] {
  if (reported === null) return [];
  const isFunded = rank(ESCROW_RANKS, reported.status) >= rank(ESCROW_RANKS, 'FUNDED');
  if (final?.id !== reported.id)
    return isFunded ? [`${reported.id} ${reported.status}, and it is gone`] : [];
  const broken: string[] = [];
  if (isFunded && rank(ESCROW_RANKS, final.status) < rank(ESCROW_RANKS, reported.status))
    broken.push(`escrow ${reported.status}, and it is ${final.status}`);
  const isSameContract =
    reported.providerContractId === null ||
    reported.providerContractId === final.providerContractId;
  if (!isSameContract) broken.push(`another contract for ${reported.id}`);
  return broken;
}

function brokenDispute(reported: SeenDispute, final: SeenDispute | null): string[] {
  if (final?.id !== reported.id) return [`dispute ${reported.id}, and it is gone`];
  const holds = rank(DISPUTE_RANKS, final.status) >= rank(DISPUTE_RANKS, reported.status);
  const isDecided =
    reported.resolutionDecision === null ||
    (reported.resolutionDecision === final.resolutionDecision &&
      reported.releaseAmount === final.releaseAmount &&
      reported.refundAmount === final.refundAmount);
  return [
    ...(holds ? [] : [`dispute ${reported.status}, and it is ${final.status}`]),
    ...(isDecided ? [] : [`${reported.resolutionDecision}, not ${final.resolutionDecision}`]),
  ];
}

function rank(ranks: Readonly<Record<string, number>>, status: string): number {
  const found = ranks[status];
  if (found === undefined) throw new Error(`${status} is not a status`);
  return found;
}
