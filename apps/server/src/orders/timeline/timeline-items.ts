//! Converts the records about an order into the items of its timeline: pure.
import { auditActions } from '@holdfast/contract/audit-actions';
import { entryWords } from '@holdfast/contract/entry-words';
import { TIMELINE_KINDS } from '@holdfast/contract/enums';
import type { TimelineItemView } from '@holdfast/contract/records/order-records';
import { stepWords } from '@holdfast/contract/step-words';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperationId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import type { OperationRow } from '../model/order-operations.ts';
import type {
  AuditRow,
  NetworkTxRow,
  PostingRow,
  ProviderCallRow,
  WebhookRow,
} from './timeline-rows.ts';

type Kind = TimelineItemView['kind'];
export type Cause = TimelineItemView['cause'];

/** Sort key in the timeline: by time, then causes before effects, then by id. */
export interface TimelinePosition {
  readonly at: Instant;
  readonly rank: number;
  readonly id: string;
}

export interface TimelineItem extends TimelinePosition {
  readonly kind: Kind;
  readonly title: string;
  readonly detail: Record<string, unknown>;
  readonly cause: Cause;
}

export function isBefore(one: TimelinePosition, other: TimelinePosition): boolean {
  if (one.at !== other.at) return one.at < other.at;
  return one.rank === other.rank ? one.id < other.id : one.rank < other.rank;
}

/** The operations and webhooks that a request id leads to. */
export interface Causes {
  readonly operations: readonly OperationRow[];
  readonly webhookIds: ReadonlyMap<string, string>;
}

interface Origin {
  readonly at: Instant;
  readonly actor_id: string;
  readonly correlation_id: string;
}

/** An operation's effects have the id of the request that started it, and the system as actor. */
function causeOf({ operations, webhookIds }: Causes, origin: Origin): Cause {
  const { at, actor_id: actorId, correlation_id: requestId } = origin;
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

/** The action, with its actor if there is one, and each status that it changed. */
export function auditItems(causes: Causes, row: AuditRow): TimelineItem[] {
  const { id, at, action, result, reason, before, after } = row;
  const cause = causeOf(causes, row);
  const moves = movesOf(row).map(({ resource, from, to }) =>
    item('state', `${resource}:${from}:${to}`, {
      at,
      title: from === null ? `${resource} is ${to}` : `${resource} changed from ${from} to ${to}`,
      detail: { resource, from, to, action },
      cause,
    }),
  );
  const isDone = ['SYSTEM', 'PROVIDER'].includes(row.actor_type);
  if (isDone && moves.length > 0) return moves;
  const isPerson =
    row.resource_type === 'Dispute' || ['MEMBER', 'OPERATOR'].includes(row.actor_type);
  const kind = isDone ? 'state' : isPerson ? 'person' : 'api_call';
  const detail = { action, result, reason, before, after };
  return [item(kind, id, { at, title: auditActions[action].description, detail, cause }), ...moves];
}

/** Names of statuses in audit entries, and their resources. */
const STATUSES: Readonly<Record<string, string>> = {
  orderStatus: 'order',
  escrowStatus: 'escrow',
  milestoneStatus: 'milestone',
};

function movesOf({ resource_type, before, after }: AuditRow) {
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
    title: `${amount} ${currency}: ${entryWords(kind).toLowerCase()}`,
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

/** The cause of a step or an envelope: the operation that it belongs to. */
function operationCause({ operations }: Causes, operationId: OperationId): Cause {
  const requestId = operations.find(({ id }) => id === operationId)?.correlation_id;
  return { operationId, ...(requestId === undefined ? {} : { requestId }) };
}

/** As "Refund order: pay out funds". */
function stepTitle({ operations }: Causes, operationId: OperationId, step: string): string {
  const kind = operations.find(({ id }) => id === operationId)?.kind ?? 'operation';
  const words = kind.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${stepWords(step)}`;
}

/** States of an envelope; readers know transactions. */
const TX_WORDS: Readonly<Record<string, string>> = {
  OPEN: 'pending',
  APPLIED: 'confirmed',
  FAILED: 'failed',
  EXPIRED: 'expired',
};

export function providerCallItem(causes: Causes, row: ProviderCallRow): TimelineItem {
  const { operation_id: operationId, name, at, status, ended_at: endedAt, code, reason } = row;
  return item('provider_call', `${operationId}:${name}`, {
    at,
    title: stepTitle(causes, operationId, name),
    detail: {
      step: name,
      status,
      endedAt: instantText(endedAt),
      ...(code === null ? {} : { code, reason }),
    },
    cause: operationCause(causes, operationId),
  });
}

export function networkTxItem(causes: Causes, row: NetworkTxRow): TimelineItem {
  const { operation_id: operationId, hash, at, step, attempt, state, settled_at: settledAt } = row;
  return item('ledger_transaction', hash, {
    at,
    title: `${stepTitle(causes, operationId, step)}, transaction ${TX_WORDS[state] ?? state}`,
    detail: {
      hash,
      innerHash: row.inner_hash,
      step,
      attempt,
      state,
      settledAt: instantText(settledAt),
    },
    cause: operationCause(causes, operationId),
  });
}

/** Where the status itself would not be understood. */
const NOTIFICATION_WORDS: Readonly<Record<string, string>> = {
  PARKED: 'needs review',
  SUPERSEDED: 'no change',
};

export function webhookItem(row: WebhookRow): TimelineItem {
  const { id: webhookId, at, event_type: type, status, applied_at: appliedAt } = row;
  return item('webhook', webhookId, {
    at,
    title: `Notification ${type}: ${NOTIFICATION_WORDS[status] ?? status}`,
    detail: {
      provider: row.provider,
      type,
      status,
      attempts: row.attempts,
      appliedAt: instantText(appliedAt),
      reason: row.last_error,
    },
    cause: { webhookId, requestId: row.correlation_id, actorId: row.provider },
  });
}
