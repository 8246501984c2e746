//! The cast: what each consumer asks for, and how it says where it was.
import { type AggregateType, type EventName, events } from '@holdfast/contract/events';
import type { Marketplace } from './intent.ts';
import type { LogEvent } from './log.ts';

/** How a consumer names its place when it comes back. */
export type Cursor =
  /** Last-Event-ID with the id of the last complete message. */
  | 'message id'
  /** Last-Event-ID with the event's own id. */
  | 'event id'
  /** The query parameter, without a header. */
  | 'since'
  /** The header, and beside it a `since` that lies far back and must not count. */
  | 'both'
  /** The header, cut to milliseconds: repeats are the price, gaps would be a fault. */
  | 'milliseconds';

interface Part {
  readonly name: string;
  readonly cursor: Cursor;
  readonly types?: readonly EventName[];
  readonly resources?: readonly AggregateType[];
  /** Begins without any cursor, with what happens from then on. */
  readonly isLive?: true;
  /** Reads with the master key, which names the marketplace. */
  readonly isMaster?: true;
}

export interface Persona extends Part {
  readonly marketplace: Marketplace;
}

const parts: readonly Part[] = [
  { name: 'all', cursor: 'message id' },
  { name: 'types', cursor: 'message id', types: ['user.created', 'order.created'] },
  { name: 'resources', cursor: 'event id', resources: ['User', 'Withdrawal'] },
  { name: 'live', cursor: 'message id', isLive: true },
  { name: 'all by event id', cursor: 'event id' },
  { name: 'master', cursor: 'message id', isMaster: true },
  { name: 'all by since', cursor: 'since' },
  {
    name: 'types and resources',
    cursor: 'both',
    types: ['user.created', 'user.ledger_linked', 'topup.processing', 'balance.credited'],
    resources: ['User', 'Balance'],
  },
  { name: 'all by milliseconds', cursor: 'milliseconds' },
  { name: 'rare', cursor: 'since', types: ['balance.credited'] },
];

/** Every part in turn, over the marketplaces in turn: the first ones have several readers. */
export function castOf(count: number, marketplaces: readonly Marketplace[]): Persona[] {
  return Array.from({ length: count }, (_, at) => {
    const part = parts[at % parts.length];
    const round = Math.floor(at / parts.length);
    const marketplace = marketplaces[(at + round) % marketplaces.length];
    if (part === undefined || marketplace === undefined) throw new Error('nobody to cast');
    return { ...part, marketplace };
  });
}

export function isWanted({ types, resources }: Persona, { eventType }: LogEvent): boolean {
  return (
    (types?.includes(eventType) ?? true) &&
    (resources?.includes(events[eventType].aggregateType) ?? true)
  );
}

/** Where the query and the header of a connection come from. */
export function streamRequest(
  persona: Persona,
  masterKey: string,
  place: { readonly id: string; readonly eventId?: string } | undefined,
  beginning: string,
): { query: string; headers: Record<string, string> } {
  const { cursor, marketplace } = persona;
  const query = new URLSearchParams();
  for (const type of persona.types ?? []) query.append('types', type);
  for (const resource of persona.resources ?? []) query.append('resources', resource);
  if (persona.isMaster) query.set('marketplaceId', marketplace.id);
  const headers: Record<string, string> = {
    authorization: `Bearer ${persona.isMaster ? masterKey : marketplace.key}`,
  };
  if (cursor === 'both') query.set('since', beginning);
  if (place !== undefined && cursor === 'since') query.set('since', place.id);
  else if (place !== undefined) headers['last-event-id'] = headerCursor(cursor, place);
  return { query: query.size === 0 ? '' : `?${query}`, headers };
}

function headerCursor(
  cursor: Cursor,
  { id, eventId }: { readonly id: string; readonly eventId?: string },
): string {
  if (cursor === 'event id' && eventId !== undefined) return eventId;
  return cursor === 'milliseconds' ? `${id.slice(0, 23)}Z` : id;
}
