//! Request ids: the caller's own when it is a UUID, else a new one. Nothing else reaches a log.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  return sentRequestId(request) ?? randomUUID();
}

/** The id that the caller sent, if it is usable. */
export function sentRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && UUID.test(sent) ? sent : undefined;
}
