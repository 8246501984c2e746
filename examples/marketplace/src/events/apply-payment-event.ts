//! Applies events of top-ups and withdrawals.
import type { HoldfastEvent } from '@holdfast/sdk';
import type { Database } from '../store/database.ts';
import { addPayment, movePayment, type Payment } from '../store/payments.ts';
import { personOfUser } from '../store/people.ts';

/** The person whose payment it was; undefined for what is not the shop's. */
export function applyPaymentEvent(database: Database, event: HoldfastEvent): string | undefined {
  const { metadata, payload } = event as { metadata: { userId?: string }; payload: object };
  const userId = 'userId' in payload ? String(payload.userId) : metadata.userId;
  const person = userId === undefined ? undefined : personOfUser(database, userId)?.id;
  if (person === undefined) return undefined;
  movePaymentBy(database, event, person);
  return person;
}

function movePaymentBy(database: Database, event: HoldfastEvent, person: string): void {
  const { aggregateId: id, occurredAt: createdAt } = event;
  if (event.eventType === 'topup.created' || event.eventType === 'withdrawal.created') {
    const { amount } = event.payload;
    const status = event.eventType === 'topup.created' ? 'TOPUP_CREATED' : 'WITHDRAWAL_CREATED';
    addPayment(database, { id, person, amount, status, createdAt });
    return;
  }
  const { status, ...facts } = stepOf(event) ?? {};
  if (status !== undefined) movePayment(database, id, status, facts);
}

interface Step {
  readonly status: Payment['status'];
  readonly payPage?: string;
  readonly problem?: string;
}

function stepOf(event: HoldfastEvent): Step | undefined {
  switch (event.eventType) {
    case 'topup.confirmation_required':
      return {
        status: 'TOPUP_AWAITING_USER_CONFIRMATION',
        payPage: event.payload.confirmationUri,
      };
    case 'topup.processing':
      return { status: 'TOPUP_PROCESSING' };
    case 'topup.succeeded':
      return { status: 'TOPUP_SUCCEEDED' };
    case 'topup.failed':
      return { status: 'TOPUP_FAILED', problem: event.payload.reason };
    case 'topup.canceled':
      return { status: 'TOPUP_CANCELED' };
    case 'withdrawal.committed':
      return { status: 'WITHDRAWAL_COMMITTED' };
    case 'withdrawal.pending':
      return { status: 'WITHDRAWAL_PENDING' };
    case 'withdrawal.pending_user_action':
      return { status: 'WITHDRAWAL_PENDING_USER_ACTION', problem: event.payload.actionRequired };
    case 'withdrawal.completed':
      return { status: 'WITHDRAWAL_COMPLETED' };
    case 'withdrawal.failed':
      return { status: 'WITHDRAWAL_FAILED', problem: event.payload.reason };
    case 'withdrawal.canceled':
      return { status: 'WITHDRAWAL_CANCELED' };
    default:
      return undefined;
  }
}
