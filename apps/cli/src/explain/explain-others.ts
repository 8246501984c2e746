//! Explains users, operations, events, keys and webhook endpoints.
import { CURRENCIES } from '@holdfast/kernel/currency';
import type { Holdfast, HoldfastEvent } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';
import { gistOf } from '../commands/events.ts';
import { COMMAND } from '../entries.ts';
import { countText, moneyText, timeText } from '../terminal/words.ts';
import { type Explanation, explained } from './explanation.ts';
import { beginningOf, entryItems, requestOf } from './record-timeline.ts';

const ENTRIES_MAX = 30;

export async function explainUser(holdfast: Holdfast, id: string): Promise<Explanation> {
  const user = await holdfast.users.get(id);
  const currencies = Object.keys(CURRENCIES) as (keyof typeof CURRENCIES)[];
  const [balances, entries] = await Promise.all([
    Promise.all(currencies.map((currency) => holdfast.balances.get(id, { currency }))),
    holdfast.audit.list({ resourceId: id, limit: ENTRIES_MAX }).toArray(ENTRIES_MAX),
  ]);
  const money = balances
    .filter(({ total, currency }) => total !== '0.00' || currency === 'USD')
    .map(({ available, reserved, currency }) => {
      const held = reserved === '0.00' ? '' : `, ${reserved} reserved`;
      return ['balance', `${moneyText(available, currency)} available${held}`] as const;
    });
  return explained(
    'user',
    { ...user, balances },
    {
      fields: [
        ['external id', user.externalUserId],
        ['email', user.email],
        ['type', user.type],
        ['payment account', user.paymentAccountUserId],
        ['address', user.ledgerAddress],
        ...money,
        ['created', timeText(user.createdAt)],
      ],
      items: entries.toReversed().flatMap(entryItems),
      next: `${COMMAND} users statement ${id}`,
    },
  );
}

export async function explainOperation(holdfast: Holdfast, id: string): Promise<Explanation> {
  const operation = await holdfast.operations.get(id);
  return explained('operation', operation, {
    fields: [
      ['kind', operation.kind],
      ['resource', operation.resourceId],
      ['refusal code', operation.refusalCode],
      ['escalated', timeText(operation.escalatedAt)],
      ['started', timeText(operation.createdAt)],
      ['last update', timeText(operation.updatedAt)],
    ],
    items: operation.steps.map(({ at, name, status, hash }) => ({
      at,
      kind: 'provider_call',
      title: `${name} is ${status}`,
      detail: hash === null ? {} : { hash },
      cause: {},
    })),
    next: `${COMMAND} explain ${operation.resourceId}`,
  });
}

const NEIGHBOURS_MAX = 200;

/** The event itself, and what else the same request made happen. */
export async function explainEvent(holdfast: Holdfast, id: string): Promise<Explanation> {
  const near = await holdfast.events
    .log({ after: beginningOf(id), limit: 100 })
    .toArray(NEIGHBOURS_MAX);
  const event = near.find(({ eventId }) => eventId === id);
  if (event === undefined)
    throw new CommandFault(`event ${id} not found`, {
      exit: 'notFound',
      code: 'EVENT_NOT_FOUND',
      fix: 'the event may belong to another marketplace or may no longer be retained',
    });
  const { correlationId } = event.metadata;
  return {
    kind: 'event',
    id,
    record: event,
    fields: [
      ['type', event.eventType],
      ['resource', event.aggregateId],
      ['occurred', event.occurredAt],
      ['request', correlationId],
      ['payload', JSON.stringify(event.payload, null, 1).replaceAll(/\n\s*/g, ' ')],
    ],
    items: near.filter(({ metadata }) => metadata.correlationId === correlationId).map(eventItem),
    next: `${COMMAND} explain ${event.aggregateId}`,
  };
}

function eventItem(event: HoldfastEvent) {
  const gist = gistOf(event);
  return {
    at: event.occurredAt,
    kind: 'event',
    title: `${event.eventType}${gist && `  ${gist}`}`,
    detail: {},
    cause: requestOf(event.metadata),
  };
}

export async function explainWebhookEndpoint(holdfast: Holdfast, id: string): Promise<Explanation> {
  const endpoint = await holdfast.webhookEndpoints.get(id);
  const { items } = await holdfast.webhookEndpoints.listDeliveries(id, { limit: 20 }).page();
  return explained('webhook endpoint', endpoint, {
    fields: [
      ['url', endpoint.url],
      ['types', endpoint.types.join(', ')],
      ['backlog', countText(endpoint.backlog, 'event')],
      ['failing since', timeText(endpoint.failingSince)],
      ['pause reason', endpoint.pauseReason],
      ['last delivered', timeText(endpoint.lastDeliveredAt)],
    ],
    items: items.toReversed().map(({ updatedAt, eventType, outcome, attemptCount, eventId }) => ({
      at: updatedAt,
      kind: 'webhook',
      title: `${eventType} is ${outcome} after ${countText(attemptCount, 'attempt')}`,
      detail: { reason: eventId },
      cause: {},
    })),
  });
}
