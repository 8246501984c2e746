//! The timeline of one record, merged from the audit log and the event log.
import { auditActions } from '@holdfast/contract/audit-actions';
import { instantText } from '@holdfast/kernel/clock';
import { type Id, microsOf, type Prefix } from '@holdfast/kernel/ids';
import type { AuditEntry, Holdfast, HoldfastEvent } from '@holdfast/sdk';
import type { TimelineItem } from '../terminal/timeline.ts';

const ENTRIES_MAX = 200;
const EVENTS_MAX = 2000;
const AFTER_MS = 60_000;

/** Who did what to it, and which money moved for it; oldest first. */
export async function timelineOf(
  holdfast: Holdfast,
  { id, updatedAt }: { readonly id: string; readonly updatedAt: string },
): Promise<TimelineItem[]> {
  const [entries, events] = await Promise.all([
    holdfast.audit.list({ resourceId: id, limit: 100 }).toArray(ENTRIES_MAX),
    moneyOf(holdfast, id, updatedAt),
  ]);
  const auditItems = entries.toReversed().flatMap(entryItems);
  // An event gets its time after the commit; it is listed with the action that caused it.
  const money = events.map(moneyItem).map((item) => {
    const auditItem = auditItems.findLast(({ cause }) => cause.requestId === item.cause.requestId);
    return auditItem === undefined ? item : { ...item, at: auditItem.at };
  });
  return [...auditItems, ...money].toSorted((one, other) => one.at.localeCompare(other.at));
}

/** Its own balance events: they name it, and lie between its creation and its last change. */
async function moneyOf(holdfast: Holdfast, id: string, until: string): Promise<HoldfastEvent[]> {
  const last = Date.parse(until) + AFTER_MS;
  const found: HoldfastEvent[] = [];
  let seen = 0;
  const query = { after: beginningOf(id), resources: ['Balance' as const], limit: 100 };
  for await (const event of holdfast.events.log(query)) {
    seen += 1;
    if (seen > EVENTS_MAX || Date.parse(event.occurredAt) > last) break;
    if (JSON.stringify(event.payload).includes(id)) found.push(event);
  }
  return found;
}

/** The creation time: an id starts with it. */
export function beginningOf(id: string): string {
  return instantText(Math.floor(microsOf(id as Id<Prefix>) / 1000) - 1);
}

export function entryItems(entry: AuditEntry): TimelineItem[] {
  const { occurredAt: at, action, actorType, actorId, correlationId, reason } = entry;
  const from = statusIn(entry.before);
  const to = statusIn(entry.after);
  const cause = {
    ...(actorId === null ? {} : { actorId }),
    ...(correlationId === null ? {} : { requestId: correlationId }),
  };
  const isDone = actorType === 'SYSTEM' || actorType === 'PROVIDER';
  const description = Object.hasOwn(auditActions, action)
    ? auditActions[action as keyof typeof auditActions].description
    : action;
  return [
    {
      at,
      kind: actorType === 'PROVIDER' ? 'webhook' : isDone ? 'state' : 'api_call',
      title: description,
      detail: { action, reason },
      cause,
    },
    ...(to === null || to === from
      ? []
      : [
          {
            at,
            kind: 'state',
            title: from === null ? `is ${to}` : `from ${from} to ${to}`,
            detail: { from, to },
            cause,
          },
        ]),
  ];
}

function statusIn(snapshot: Readonly<Record<string, unknown>> | null): string | null {
  const status = snapshot?.['status'];
  return typeof status === 'string' ? status : null;
}

function moneyItem({ occurredAt, eventType, payload, metadata }: HoldfastEvent): TimelineItem {
  const { amount, currency, newAvailableBalance } = payload as Readonly<Record<string, string>>;
  const what = eventType.replace('balance.', '');
  return {
    at: occurredAt,
    kind: 'posting',
    title: `${amount} ${currency} ${what}; available balance ${newAvailableBalance} ${currency}`,
    detail: { eventType, ...payload },
    cause: requestOf(metadata),
  };
}

/** The request that an event came of, where one did. */
export function requestOf({ correlationId }: HoldfastEvent['metadata']): TimelineItem['cause'] {
  return correlationId === undefined ? {} : { requestId: correlationId };
}
