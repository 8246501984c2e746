//! Sample events in the form the service writes them: real types, payloads as published.
import type { EventName, PayloadOf } from '@holdfast/contract/events';
import { newId } from '@holdfast/kernel/ids';
import type { SeededRandom } from '../../harness/random.ts';

export interface SampleEvent {
  readonly eventType: EventName;
  readonly aggregateId: string;
  readonly payload: unknown;
}

/** Text that breaks careless framing: all line ends, names of fields, multi-byte characters. */
const AWKWARD = 'id: 1\n\nevent: ping\r\ndata: {}\u2028\u2029 „Grüße“ 你好 🦀 \\n\\n ';
const LINKED_AT = '2026-03-01T12:00:00.000Z';

function sample<N extends EventName>(
  eventType: N,
  aggregateId: string,
  payload: PayloadOf<N>,
): SampleEvent {
  return { eventType, aggregateId, payload };
}

/** Without types that the auditor compares with other rows: these events have none. */
const makers: readonly ((mark: string, random: SeededRandom) => SampleEvent)[] = [
  (mark) => {
    const userId = newId('usr', Date.now());
    return sample('user.payment_account_linked', userId, {
      userId,
      paymentAccountUserId: mark,
      linkedAt: LINKED_AT,
    });
  },
  (mark) => {
    const userId = newId('usr', Date.now());
    return sample('user.ledger_linked', userId, {
      userId,
      ledgerAddress: mark,
      linkedAt: LINKED_AT,
    });
  },
  (mark) => {
    const disputeId = newId('dsp', Date.now());
    return sample('dispute.under_review', disputeId, {
      disputeId,
      orderId: newId('ord', Date.now()),
      reviewedBy: mark,
      reviewStartedAt: LINKED_AT,
    });
  },
  (mark, random) => {
    const orderId = newId('ord', Date.now());
    return sample('order.created', orderId, {
      orderId,
      buyerId: newId('usr', Date.now()),
      sellerId: newId('usr', Date.now()),
      amount: '12.50',
      currency: 'USD',
      title: AWKWARD.repeat(1 + random.below(60)),
      clientOrderRef: mark,
    });
  },
  (mark) => {
    const escrowId = newId('esc', Date.now());
    return sample('escrow.milestone_completed', escrowId, {
      escrowId,
      orderId: newId('ord', Date.now()),
      milestoneRef: 'm1',
      milestoneTitle: mark,
      amount: '3.00',
      completedAt: LINKED_AT,
    });
  },
];

/** One of several kinds; the mark is in a text field of its payload. */
export function sampleEvent(mark: string, random: SeededRandom): SampleEvent {
  return random.oneOf(makers)(mark, random);
}
