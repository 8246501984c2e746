//! Response view of an audit entry.
import type { AuditEntryView } from '@holdfast/contract/records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';

interface BalanceState {
  readonly available: bigint;
  readonly reserved: bigint;
}

interface BalanceChange {
  readonly before: BalanceState;
  readonly after: BalanceState;
  readonly amount: bigint;
  readonly currency: string;
  readonly orderId: string | null;
  readonly reference: string | null;
}

type AuditEntry = Omit<AuditEntryView, 'occurredAt'> & {
  readonly occurredAt: Instant;
  readonly balance: BalanceChange | null;
};

export function auditEntryView(entry: AuditEntry): AuditEntryView {
  const { balance } = entry;
  return {
    id: entry.id,
    occurredAt: instantText(entry.occurredAt),
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    before: balance === null ? entry.before : stateView(balance.before),
    after: balance === null ? entry.after : { ...stateView(balance.after), ...moveView(balance) },
    actorType: entry.actorType,
    actorId: entry.actorId,
    result: entry.result,
    reason: entry.reason,
    correlationId: entry.correlationId,
    address: entry.address,
    userAgent: entry.userAgent,
  };
}

function stateView({ available, reserved }: BalanceState) {
  return { available: minorText(available), reserved: minorText(reserved) };
}

function moveView({ amount, currency, orderId, reference }: BalanceChange) {
  return {
    amount: minorText(amount),
    currency,
    ...(orderId === null ? {} : { orderId }),
    ...(reference === null ? {} : { reference }),
  };
}
