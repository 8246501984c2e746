//! The kinds of consumers: their filters, and the cursor that each sends to resume.
import { type AggregateType, type EventName, events } from '@holdfast/contract/events';
import type { Marketplace } from './intent.ts';
import type { LogEvent } from './log.ts';

/** How a consumer names its position when it reconnects. */
export type Cursor =
  /** Last-Event-ID with the id of the last complete message. */
  | 'message id'
  /** Last-Event-ID with the event's own id. */
  | 'event id'
  /** The query parameter, without a header. */
  | 'since'
  /** The header, and with it an old `since` that the server must ignore. */
  | 'both'
  /** The header, cut to milliseconds: repeats are expected, gaps are a fault. */
  | 'milliseconds';

interface Role {
  readonly name: string;
  readonly cursor: Cursor;
  readonly types?: readonly EventName[];
  readonly resources?: readonly AggregateType[];
  /** Starts without a cursor, with events from then on. */
  readonly isLive?: true;
  /** Reads with the master key and names the marketplace. */
  readonly isMaster?: true;
}

export interface Persona extends Role {
  readonly marketplace: Marketplace;
}

const roles: readonly Role[] = [
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

/** Cycles through kinds and marketplaces: the first marketplaces have several readers. */
export function castOf(count: number, marketplaces: readonly Marketplace[]): Persona[] {
  return Array.from({ length: count }, (_, at) => {
    const role = roles[at % roles.length];
    const round = Math.floor(at / roles.length);
    const marketplace = marketplaces[(at + round) % marketplaces.length];
    if (role === undefined || marketplace === undefined)
      throw new Error('no personas or no marketplaces');
    return { ...role, marketplace };
  });
}

export function isWanted({ types, resources }: Persona, { eventType }: LogEvent): boolean {
  return (
    (types?.includes(eventType) ?? true) &&
    (resources?.includes(events[eventType].aggregateType) ?? true)
  );
}

/** The query and the headers of a connection. */
export function streamRequest(
  persona: Persona,
  masterKey: string,
  position: { readonly id: string; readonly eventId?: string } | undefined,
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
  if (position !== undefined && cursor === 'since') query.set('since', position.id);
  else if (position !== undefined) headers['last-event-id'] = headerCursor(cursor, position);
  return { query: query.size === 0 ? '' : `?${query}`, headers };
}

function headerCursor(
  cursor: Cursor,
  { id, eventId }: { readonly id: string; readonly eventId?: string },
): string {
  if (cursor === 'event id' && eventId !== undefined) return eventId;
  return cursor === 'milliseconds' ? `${id.slice(0, 23)}Z` : id;
}
