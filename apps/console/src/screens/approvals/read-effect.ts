//! Reads the effect that an approval would have now, and the resources that it is about.
import type { Approval, Holdfast, Operator, PreviewResolutionInput } from '@holdfast/sdk';
import { marketplaceNames, type WantedRole } from '#parts/words/membership-words.ts';
import { termsWords } from '#parts/words/terms-words.ts';
import {
  adjustmentWords,
  decisionWords,
  keyWords,
  liftWords,
  payoutWords,
  postingWords,
  refundWords,
  releaseWords,
  rotationWords,
  writeOffWords,
} from '#screens/approvals/effect-words.ts';
import {
  capitalWords,
  enableWords,
  limitWords,
  rolesIn,
  rolesWords,
  shareWords,
} from '#screens/approvals/platform-words.ts';
import { bodyOf } from '#screens/approvals/request-words.ts';

export interface Effect {
  readonly lines: readonly string[];
  /** Links to check before approving: a name, and the id of the resource. */
  readonly about: readonly (readonly [name: string, id: string])[];
  /** Of a dispute: how much came with the claim. */
  readonly evidence?: number;
}

type Reader = (
  holdfast: Holdfast,
  approval: Approval,
  options: { readonly signal: AbortSignal },
) => Promise<Effect>;

const parties = ({ buyerId, sellerId }: { buyerId: string; sellerId: string }) =>
  [
    ['Buyer', buyerId],
    ['Seller', sellerId],
  ] as const;

const settling =
  (words: typeof releaseWords): Reader =>
  async (holdfast, { resourceId }, options) => {
    const order = await holdfast.orders.get(resourceId, options);
    return { lines: words(order), about: parties(order) };
  };

const adjusting =
  (kind: 'credit' | 'debit'): Reader =>
  async (holdfast, { resourceId, amount, currency }, options) => {
    if (amount === null || currency === null) throw new Error('an adjustment has an amount');
    const [user, balance] = await Promise.all([
      holdfast.users.get(resourceId, options),
      holdfast.balances.get(resourceId, { currency }, options),
    ]);
    return { lines: adjustmentWords({ kind, amount, user, balance }), about: [] };
  };

const READERS: Readonly<Record<string, Reader>> = {
  releaseOrder: settling(releaseWords),
  refundOrder: settling(refundWords),
  creditBalance: adjusting('credit'),
  debitBalance: adjusting('debit'),
  resolveDispute: async (holdfast, approval, options) => {
    const { resourceId } = approval;
    const [dispute, preview] = await Promise.all([
      holdfast.disputes.get(resourceId, options),
      holdfast.disputes.previewResolution(resourceId, decisionOf(approval), options),
    ]);
    const order = await holdfast.orders.get(dispute.orderId, options);
    return {
      lines: decisionWords(preview),
      about: [['Order', order.id], ...parties(order)],
      evidence: dispute.evidence?.length ?? 0,
    };
  },
  commitWithdrawal: async (holdfast, { resourceId }, options) => {
    const withdrawal = await holdfast.withdrawals.get(resourceId, options);
    const user = await holdfast.users.get(withdrawal.userId, options);
    return { lines: payoutWords(withdrawal, user), about: [['User', user.id]] };
  },
  liftStop: async (holdfast, approval, options) => {
    const { standing } = await holdfast.marketplaces.listStops(approval.resourceId, options);
    const { level, stoppedAt } = bodyOf(approval);
    const stop = standing.find((each) => each.level === level && each.stoppedAt === stoppedAt);
    return { lines: liftWords(stop), about: [] };
  },
  setTerms: async (holdfast, approval, options) => {
    const now = await holdfast.marketplaces.getTerms(approval.resourceId, options);
    return { lines: termsWords(now, bodyOf(approval)), about: [] };
  },
  writeOffDebt: async (holdfast, { resourceId, amount, currency }, options) => {
    if (amount === null || currency === null) throw new Error('a write-off has an amount');
    const [user, debts] = await Promise.all([
      holdfast.users.get(resourceId, options),
      holdfast.users.listDebts(resourceId, options),
    ]);
    const debt = debts.find((one) => one.currency === currency) ?? { owed: '0.00', currency };
    return { lines: writeOffWords({ amount, user, debt }), about: [] };
  },
  createApiKey: async (_holdfast, { request, requestedBy }) => ({
    lines: keyWords(bodyOf({ request }), requestedBy),
    about: [],
  }),
  setMemberships: async (holdfast, approval, options) => {
    const operator = await findOperator(holdfast, approval.resourceId, options);
    const body = bodyOf(approval);
    const names = await marketplacesOf(holdfast, operator, rolesIn(body), options);
    return { lines: rolesWords(operator, body, names), about: [] };
  },
  setOperatorStatus: async (holdfast, { resourceId }, options) => {
    const operator = await findOperator(holdfast, resourceId, options);
    return { lines: enableWords(operator), about: [] };
  },
  setAdjustmentLimit: async (holdfast, approval, options) => {
    const marketplace = await holdfast.marketplaces.get(approval.resourceId, options);
    return { lines: limitWords(marketplace, bodyOf(approval)), about: [] };
  },
  setTreasuryShare: async (holdfast, approval, options) => {
    const marketplace = await holdfast.marketplaces.get(approval.resourceId, options);
    return { lines: shareWords(marketplace, bodyOf(approval)), about: [] };
  },
  recordCapital: async (_holdfast, approval) => ({
    lines: capitalWords(bodyOf(approval)),
    about: [],
  }),
  rotateApiKey: async (holdfast, { resourceId, request, requestedBy }, options) => {
    const keys = await holdfast.keys.list({ limit: 100 }, options).toArray(1000);
    const old = keys.find(({ id }) => id === resourceId);
    return { lines: rotationWords(old, bodyOf({ request }), requestedBy), about: [] };
  },
  resolveException: async (holdfast, approval, options) => {
    const body = bodyOf(approval);
    const exception = await holdfast.reconciliation.getException(approval.resourceId, options);
    const { userId } = body;
    return {
      lines: postingWords(exception, body),
      about: [
        ...(exception.resourceId === null ? [] : [['Record', exception.resourceId] as const]),
        ...(typeof userId === 'string' ? [['User', userId] as const] : []),
      ],
    };
  },
};

async function findOperator(
  holdfast: Holdfast,
  id: string,
  options: { readonly signal: AbortSignal },
): Promise<Operator> {
  for await (const one of holdfast.operators.list({ limit: 100 }, options))
    if (one.id === id) return one;
  throw new Error('an operator is never removed');
}

/** The names of the marketplaces of all roles, present and wanted. */
async function marketplacesOf(
  holdfast: Holdfast,
  { memberships }: Operator,
  wanted: readonly WantedRole[],
  options: { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const had = memberships.map(({ marketplaceId: id, marketplaceName: name }) => ({ id, name }));
  const known = new Set<string>(had.map(({ id }) => id));
  const others = wanted.filter(({ marketplaceId }) => !known.has(marketplaceId));
  const read = others.map(({ marketplaceId: id }) =>
    holdfast.marketplaces.get(id as `mkt_${string}`, options),
  );
  return marketplaceNames([...had, ...(await Promise.all(read))]);
}

/** The decision alone: the preview takes no note. */
function decisionOf(approval: Approval): PreviewResolutionInput {
  const { decision, releaseAmount, refundAmount } = bodyOf(approval);
  return { decision, releaseAmount, refundAmount } as PreviewResolutionInput;
}

/** Null for what this page does not know yet. */
export async function readEffect(
  holdfast: Holdfast,
  approval: Approval,
  signal: AbortSignal,
): Promise<Effect | null> {
  return (await READERS[approval.action]?.(holdfast, approval, { signal })) ?? null;
}
