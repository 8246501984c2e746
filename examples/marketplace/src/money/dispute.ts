//! A dispute: the buyer opens it, support takes it and decides how the money is shared.
import { Money, money } from '@holdfast/sdk/money';
import { notifyOf } from '../events/notify.ts';
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { addDispute, type Dispute } from '../store/disputes.ts';
import type { Person } from '../store/people.ts';
import { findPurchase, type Purchase, setComplaint, setTrouble } from '../store/purchases.ts';
import { dollars } from '../web/words.ts';

export async function openDispute(
  shop: Shop,
  buyer: Person,
  purchase: Purchase,
  complaint: { readonly reason: Dispute['reason']; readonly words: string },
): Promise<void> {
  if (purchase.buyer !== buyer.id)
    throw new Refusal(403, 'Only the buyer can open a dispute here.');
  if (purchase.orderId === null) throw new Refusal(409, 'There is no order to dispute yet.');
  const { reason, words } = complaint;
  setComplaint(shop.database, purchase.id, words);
  const input = { openedBy: 'BUYER', reason } as const;
  const result = await shop.holdfast.orders.openDispute(purchase.orderId, input).result();
  if (result.ok) {
    addDispute(shop.database, { id: result.data.id, purchase: purchase.id, reason });
  } else if (!result.error.isOutcomeKnown) {
    setTrouble(shop.database, purchase.id, 'CHECKING');
  } else {
    throw new Refusal(409, 'This order can’t be disputed right now.');
  }
  notifyOf(shop, purchase.id);
}

export async function takeDispute(shop: Shop, agent: Person, dispute: Dispute): Promise<void> {
  mustBeSupport(agent);
  const result = await shop.holdfast.disputes
    .assign(dispute.id, { assignedTo: agent.name }, { idempotencyKey: `take:${dispute.id}` })
    .result();
  if (!result.ok) throw new Refusal(409, 'The dispute is already assigned or resolved.');
}

/**
 * `toSeller` goes to the seller and the rest back to the buyer, to the cent. The key is the form's:
 * the same form sent again decides once; should a provider refuse, the next form is another try.
 */
export async function decideDispute(
  shop: Shop,
  agent: Person,
  dispute: Dispute,
  decided: { readonly toSeller: string; readonly note: string; readonly form: string },
): Promise<void> {
  mustBeSupport(agent);
  const purchase = findPurchase(shop.database, dispute.purchase);
  if (purchase === undefined) throw new Refusal(404, 'Order not found.');
  const { toSeller, toBuyer } = split(purchase.amount, decided.toSeller);
  const shared = { releaseAmount: toSeller, refundAmount: toBuyer };
  const input = {
    ...(toBuyer === '0.00'
      ? { decision: 'FULL_RELEASE' as const }
      : toSeller === '0.00'
        ? { decision: 'FULL_REFUND' as const }
        : { decision: 'SPLIT' as const, ...shared }),
    ...(decided.note === '' ? {} : { note: decided.note }),
  };
  const result = await shop.holdfast.disputes
    .resolve(dispute.id, input, { idempotencyKey: `decide:${decided.form}` })
    .result();
  if (result.ok) setTrouble(shop.database, purchase.id, null);
  else if (!result.error.isOutcomeKnown) {
    const { error } = result;
    const operationId = error.code === 'PROVIDER_TIMEOUT' ? error.details.operationId : null;
    setTrouble(shop.database, purchase.id, 'CHECKING', operationId);
  } else throw new Refusal(409, `The decision was not accepted: ${result.error.message}`);
  notifyOf(shop, purchase.id);
}

function split(amount: string, seller: string): { toSeller: string; toBuyer: string } {
  try {
    const toSeller = /^0+(\.0{1,2})?$/.test(seller) ? Money.zero('USD') : money(seller, 'USD');
    const toBuyer = money(amount, 'USD').subtract(toSeller);
    return { toSeller: toSeller.toString(), toBuyer: toBuyer.toString() };
  } catch {
    throw new Refusal(400, `The seller’s share must be between $0.00 and ${dollars(amount)}.`);
  }
}

function mustBeSupport(person: Person): void {
  if (person.role !== 'support') throw new Refusal(403, 'Only support can resolve disputes.');
}
