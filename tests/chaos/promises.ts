//! Everything that a client was told with 2xx must still be so in the end, or further.
import type { Told } from './notebook.ts';
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
/** Told as long as a refusal may still take it back. */
const UNDONE: readonly string[] = ['ESCROW_CREATING', 'RELEASE_REQUESTED', 'REFUND_REQUESTED'];

export function brokenPromises(
  told: readonly Told[],
  finals: ReadonlyMap<string, SeenOrder>,
): string[] {
  const broken = told.flatMap(({ by, order, dispute }) => {
    const id = order?.id ?? dispute?.orderId ?? '';
    const final = finals.get(id);
    if (final === undefined) return [`${id} was told by ${by}, and is gone`];
    const found = [
      ...(order === undefined ? [] : brokenOrder(order, final)),
      ...(dispute === undefined ? [] : brokenDispute(dispute, final.dispute)),
    ];
    return found.map((text) => `${id}: ${by} told ${text}`);
  });
  return [...new Set(broken)];
}

function brokenOrder(told: SeenOrder, final: SeenOrder): string[] {
  const broken: string[] = [];
  const claim = (isKept: boolean, text: string) => {
    if (!isKept) broken.push(text);
  };
  const isKept = rank(STATUS_RANKS, final.status) >= rank(STATUS_RANKS, told.status);
  claim(isKept || UNDONE.includes(told.status), `${told.status}, and it is ${final.status}`);
  if (told.closeReason !== null)
    claim(told.closeReason === final.closeReason, `${told.closeReason}, not ${final.closeReason}`);
  for (const { ref, status } of told.milestones) {
    const now = final.milestones.find((each) => each.ref === ref)?.status;
    claim(status !== 'COMPLETED' || now === status, `${ref} ${status}, and it is ${now}`);
  }
  claim(told.amount === final.amount, `${told.amount}, and it is ${final.amount}`);
  claim(told.fee === final.fee, `a fee of ${told.fee}, and it is ${final.fee}`);
  if (told.dispute !== null) broken.push(...brokenDispute(told.dispute, final.dispute));
  return [...broken, ...brokenEscrow(told.escrow, final.escrow)];
}

/** One that was never funded may have been given up for another. */
function brokenEscrow(told: SeenOrder['escrow'], final: SeenOrder['escrow']): string[] {
  if (told === null) return [];
  const isFunded = rank(ESCROW_RANKS, told.status) >= rank(ESCROW_RANKS, 'FUNDED');
  if (final?.id !== told.id) return isFunded ? [`${told.id} ${told.status}, and it is gone`] : [];
  const broken: string[] = [];
  if (isFunded && rank(ESCROW_RANKS, final.status) < rank(ESCROW_RANKS, told.status))
    broken.push(`escrow ${told.status}, and it is ${final.status}`);
  const isSameContract =
    told.providerContractId === null || told.providerContractId === final.providerContractId;
  if (!isSameContract) broken.push(`another contract for ${told.id}`);
  return broken;
}

function brokenDispute(told: SeenDispute, final: SeenDispute | null): string[] {
  if (final?.id !== told.id) return [`dispute ${told.id}, and it is gone`];
  const isKept = rank(DISPUTE_RANKS, final.status) >= rank(DISPUTE_RANKS, told.status);
  const isDecided =
    told.resolutionDecision === null ||
    (told.resolutionDecision === final.resolutionDecision &&
      told.releaseAmount === final.releaseAmount &&
      told.refundAmount === final.refundAmount);
  return [
    ...(isKept ? [] : [`dispute ${told.status}, and it is ${final.status}`]),
    ...(isDecided ? [] : [`${told.resolutionDecision}, not ${final.resolutionDecision}`]),
  ];
}

function rank(ranks: Readonly<Record<string, number>>, status: string): number {
  const found = ranks[status];
  if (found === undefined) throw new Error(`${status} is no status`);
  return found;
}
