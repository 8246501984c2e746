//! Turns what is on record about an order into the items of its timeline: pure.
import { auditActions } from '@holdfast/contract/audit-actions';
import type { TimelineItemView } from '@holdfast/contract/order-records';
import { TIMELINE_KINDS } from '@holdfast/contract/words';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperationId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import type {
  DeedRow,
  NetworkTxRow,
  OperationRow,
  PostingRow,
  ProviderCallRow,
  WebhookRow,
} from './timeline-rows.ts';

type Kind = TimelineItemView['kind'];
export type Cause = TimelineItemView['cause'];

/** Its place in the list: by time, what causes before what is caused, then by its own id. */
export interface Place {
  readonly at: Instant;
  readonly rank: number;
  readonly id: string;
}

export interface TimelineItem extends Place {
  readonly kind: Kind;
  readonly title: string;
  readonly detail: Record<string, unknown>;
  readonly cause: Cause;
}

export function isBefore(one: Place, other: Place): boolean {
  if (one.at !== other.at) return one.at < other.at;
  return one.rank === other.rank ? one.id < other.id : one.rank < other.rank;
}

/** What a request id leads to. */
export interface Causes {
  readonly operations: readonly OperationRow[];
  readonly webhookIds: ReadonlyMap<string, string>;
}

interface Trace {
  readonly at: Instant;
  readonly actor_id: string;
  readonly correlation_id: string;
}

/** What an operation did stands under the request that began it, and was done by the system. */
function causeOf({ operations, webhookIds }: Causes, trace: Trace): Cause {
  const { at, actor_id: actorId, correlation_id: requestId } = trace;
  const webhookId = webhookIds.get(requestId);
  const operation = operations.findLast(
    (each) => each.correlation_id === requestId && each.created_at <= at,
  );
  const isOperations = actorId === 'system' && operation !== undefined;
  return {
    requestId,
    actorId,
    ...(isOperations ? { operationId: operation.id } : {}),
    ...(webhookId === undefined ? {} : { webhookId }),
  };
}

function item(kind: Kind, id: string, rest: Omit<TimelineItem, 'kind' | 'id' | 'rank'>) {
  return { kind, id, rank: TIMELINE_KINDS.indexOf(kind), ...rest };
}

/** Who did it, where somebody did; and each status that it moved. */
export function deedItems(causes: Causes, deed: DeedRow): TimelineItem[] {
  const { id, at, action, result, reason, before, after } = deed;
  const cause = causeOf(causes, deed);
  const moves = movesOf(deed).map(({ resource, from, to }) =>
    item('state', `${resource}:${from}:${to}`, {
      at,
      title: from === null ? `${resource} is ${to}` : `${resource} from ${from} to ${to}`,
      detail: { resource, from, to, action },
      cause,
    }),
  );
  const isDone = ['SYSTEM', 'PROVIDER'].includes(deed.actor_type);
  if (isDone && moves.length > 0) return moves;
  const isPerson =
    deed.resource_type === 'Dispute' || ['MEMBER', 'OPERATOR'].includes(deed.actor_type);
  const kind = isDone ? 'state' : isPerson ? 'person' : 'api_call';
  const detail = { action, result, reason, before, after };
  return [item(kind, id, { at, title: auditActions[action].means, detail, cause }), ...moves];
}

/** Names of statuses in audit entries, and whose they are. */
const STATUSES: Readonly<Record<string, string>> = {
  orderStatus: 'order',
  escrowStatus: 'escrow',
  milestoneStatus: 'milestone',
};

function movesOf({ resource_type, before, after }: DeedRow) {
  const own = resource_type === 'Dispute' ? 'dispute' : 'order';
  return Object.entries({ status: own, ...STATUSES }).flatMap(([name, resource]) => {
    const from = textOf(before?.[name]);
    const to = textOf(after?.[name]);
    if (to === null || from === to) return [];
    const ref = name === 'milestoneStatus' ? ` ${textOf(after?.['milestoneRef']) ?? ''}` : '';
    return [{ resource: `${resource}${ref}`, from, to }];
  });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

export function postingItem(causes: Causes, row: PostingRow): TimelineItem {
  const { at, kind, currency } = row;
  const amount = minorText(BigInt(row.amount));
  return item('posting', row.id.padStart(20, '0'), {
    at,
    title: `${amount} ${currency}: ${kind.replaceAll('_', ' ')}`,
    detail: {
      entry: kind,
      amount,
      currency,
      from: { kind: row.from_kind, ownerId: row.from_owner, bucket: row.from_bucket },
      to: { kind: row.to_kind, ownerId: row.to_owner, bucket: row.to_bucket },
    },
    cause: causeOf(causes, row),
  });
}

/** Of the operation that a step or an envelope belongs to. */
function operationCause({ operations }: Causes, operationId: OperationId): Cause {
  const requestId = operations.find(({ id }) => id === operationId)?.correlation_id;
  return { operationId, ...(requestId === undefined ? {} : { requestId }) };
}

function kindOf({ operations }: Causes, operationId: OperationId): string {
  return operations.find(({ id }) => id === operationId)?.kind ?? 'operation';
}

export function providerCallItem(causes: Causes, row: ProviderCallRow): TimelineItem {
  const { operation_id: operationId, name, at, status, ended_at: endedAt, code, reason } = row;
  return item('provider_call', `${operationId}:${name}`, {
    at,
    title: `${kindOf(causes, operationId)}: ${name}`,
    detail: {
      step: name,
      status,
      endedAt: endedAt === null ? null : instantText(endedAt),
      ...(code === null ? {} : { code, reason }),
    },
    cause: operationCause(causes, operationId),
  });
}

export function networkTxItem(causes: Causes, row: NetworkTxRow): TimelineItem {
  const { operation_id: operationId, hash, at, step, attempt, state, settled_at: settledAt } = row;
  return item('ledger_transaction', hash, {
    at,
    title: `${kindOf(causes, operationId)}: ${step} is ${state}`,
    detail: {
      hash,
      innerHash: row.inner_hash,
      step,
      attempt,
      state,
      settledAt: settledAt === null ? null : instantText(settledAt),
    },
    cause: operationCause(causes, operationId),
  });
}

export function webhookItem(row: WebhookRow): TimelineItem {
  const { id: webhookId, at, event_type: type, status, applied_at: appliedAt } = row;
  return item('webhook', webhookId, {
    at,
    title: `${type} is ${status}`,
    detail: {
      provider: row.provider,
      type,
      status,
      attempts: row.attempts,
      appliedAt: appliedAt === null ? null : instantText(appliedAt),
      reason: row.last_error,
    },
    cause: { webhookId, requestId: row.correlation_id, actorId: row.provider },
  });
}
