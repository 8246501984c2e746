//! Events as the service would write them: real types, payloads as published.
import type { EventName, PayloadOf } from '@holdfast/contract/events';
import { newId } from '@holdfast/kernel/ids';
import type { Chance } from '../harness/chance.ts';

export interface SampleEvent {
  readonly eventType: EventName;
  readonly aggregateId: string;
  readonly payload: unknown;
}

/** What breaks careless framing: line ends of all kinds, other fields' names, many bytes a sign. */
const AWKWARD = 'id: 1\n\nevent: ping\r\ndata: {}\u2028\u2029 „Grüße“ 你好 🦀 \\n\\n ';
const LINKED_AT = '2026-03-01T12:00:00.000Z';

function sample<N extends EventName>(
  eventType: N,
  aggregateId: string,
  payload: PayloadOf<N>,
): SampleEvent {
  return { eventType, aggregateId, payload };
}

/** None that the auditor holds against a row elsewhere: these events stand alone. */
const makers: readonly ((mark: string, chance: Chance) => SampleEvent)[] = [
  (mark) => {
    const userId = newId('usr');
    return sample('user.payment_account_linked', userId, {
      userId,
      paymentAccountUserId: mark,
      linkedAt: LINKED_AT,
    });
  },
  (mark) => {
    const userId = newId('usr');
    return sample('user.ledger_linked', userId, {
      userId,
      ledgerAddress: mark,
      linkedAt: LINKED_AT,
    });
  },
  (mark) => {
    const disputeId = newId('dsp');
    return sample('dispute.under_review', disputeId, {
      disputeId,
      orderId: newId('ord'),
      reviewedBy: mark,
      reviewStartedAt: LINKED_AT,
    });
  },
  (mark, chance) => {
    const orderId = newId('ord');
    return sample('order.created', orderId, {
      orderId,
      buyerId: newId('usr'),
      sellerId: newId('usr'),
      amount: '12.50',
      currency: 'USD',
      title: AWKWARD.repeat(1 + chance.below(60)),
      clientOrderRef: mark,
    });
  },
  (mark) => {
    const escrowId = newId('esc');
    return sample('escrow.milestone_completed', escrowId, {
      escrowId,
      orderId: newId('ord'),
      milestoneRef: 'm1',
      milestoneTitle: mark,
      amount: '3.00',
      completedAt: LINKED_AT,
    });
  },
];

/** One of several kinds; the mark stands in a text that its payload has room for. */
export function sampleEvent(mark: string, chance: Chance): SampleEvent {
  return chance.oneOf(makers)(mark, chance);
}
