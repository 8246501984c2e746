//! The stories of users, operations, events, keys and webhook endpoints.
import { CURRENCIES } from '@holdfast/kernel/currency';
import type { Holdfast, HoldfastEvent } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';
import { gistOf } from '../commands/events.ts';
import { moneyText, timeText } from '../terminal/words.ts';
import type { Story } from './story.ts';
import { beginningOf, entryItems, requestOf } from './traces.ts';

const ENTRIES_MAX = 30;

export async function userStory(holdfast: Holdfast, id: string): Promise<Story> {
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
  return {
    kind: 'user',
    id,
    status: user.status,
    record: { ...user, balances },
    fields: [
      ['name', user.externalUserId],
      ['e-mail', user.email],
      ['type', user.type],
      ['payment account', user.paymentAccountUserId],
      ['address', user.ledgerAddress],
      ...money,
      ['created', timeText(user.createdAt)],
    ],
    items: entries.toReversed().flatMap(entryItems),
    next: `holdfast users statement ${id}`,
  };
}

export async function operationStory(holdfast: Holdfast, id: string): Promise<Story> {
  const operation = await holdfast.operations.get(id);
  return {
    kind: 'operation',
    id,
    status: operation.status,
    record: operation,
    fields: [
      ['what', operation.kind],
      ['of', operation.resourceId],
      ['refused with', operation.refusalCode],
      ['raised', timeText(operation.raisedAt)],
      ['begun', timeText(operation.createdAt)],
      ['last sign', timeText(operation.updatedAt)],
    ],
    items: operation.steps.map(({ at, name, status, hash }) => ({
      at,
      kind: 'provider_call',
      title: `${name} is ${status}`,
      detail: hash === null ? {} : { hash },
      cause: {},
    })),
    next: `holdfast explain ${operation.resourceId}`,
  };
}

const NEIGHBOURS_MAX = 200;

/** The event itself, and what else the same request made happen. */
export async function eventStory(holdfast: Holdfast, id: string): Promise<Story> {
  const near = await holdfast.events
    .log({ after: beginningOf(id), limit: 100 })
    .toArray(NEIGHBOURS_MAX);
  const event = near.find(({ eventId }) => eventId === id);
  if (event === undefined)
    throw new CommandFault(`there is no event ${id} here`, {
      exit: 'notFound',
      code: 'EVENT_NOT_FOUND',
      cure: 'it belongs to another marketplace, or is not kept any more',
    });
  const { correlationId } = event.metadata;
  return {
    kind: 'event',
    id,
    record: event,
    fields: [
      ['type', event.eventType],
      ['of', event.aggregateId],
      ['occurred', event.occurredAt],
      ['request', correlationId],
      ['payload', JSON.stringify(event.payload, null, 1).replaceAll(/\n\s*/g, ' ')],
    ],
    items: near.filter(({ metadata }) => metadata.correlationId === correlationId).map(eventItem),
    next: `holdfast explain ${event.aggregateId}`,
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

export async function webhookEndpointStory(holdfast: Holdfast, id: string): Promise<Story> {
  const endpoint = await holdfast.webhookEndpoints.get(id);
  const { items } = await holdfast.webhookEndpoints.listDeliveries(id, { limit: 20 }).page();
  return {
    kind: 'webhook endpoint',
    id,
    status: endpoint.status,
    record: endpoint,
    fields: [
      ['url', endpoint.url],
      ['types', endpoint.types.join(', ')],
      ['backlog', String(endpoint.backlog)],
      ['failing since', timeText(endpoint.failingSince)],
      ['paused', endpoint.pauseReason],
      ['last delivered', timeText(endpoint.lastDeliveredAt)],
    ],
    items: items.toReversed().map(({ updatedAt, eventType, outcome, attemptCount, eventId }) => ({
      at: updatedAt,
      kind: 'webhook',
      title: `${eventType} is ${outcome} after ${attemptCount}`,
      detail: { reason: eventId },
      cause: {},
    })),
  };
}
