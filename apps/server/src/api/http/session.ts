//! Checks of a session request beyond its cookie: its origin, the session's token, and the reason
//! of a change.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import { LENGTHS } from '@holdfast/contract/limits';
import { rolesOf } from '@holdfast/contract/roles';
import { refuseField } from '@holdfast/contract/validation';
import type { FastifyRequest } from 'fastify';
import type { Caller, OperatorActor, PersonActor } from '../../platform/call.ts';
import { addressBucket } from './rate-limit.ts';

/** The credentials of a session request, before they are verified. */
export interface SessionProof {
  readonly token: string;
  readonly userAgent: string;
  /** Undefined where the endpoint is about no marketplace. */
  readonly marketplaceId: string | undefined;
  /** The bucket of the address: unknown tokens are counted by it. */
  readonly address: string;
}

/** The session store. */
export interface Sessions {
  readonly cookieName: string;
  /** The origin that serves the console, where it is known. */
  readonly publicUrl: string | undefined;
  identify(proof: SessionProof): Promise<OperatorActor | PersonActor | undefined>;
}

type Facts = Pick<FastifyRequest, 'headers' | 'method' | 'query' | 'ip'>;

export function userAgentOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return headers['user-agent'] ?? '';
}

/** Undefined without a cookie, and on endpoints that need no identity. */
export function identifySession(
  sessions: Sessions,
  request: Facts,
  endpoint: Endpoint | undefined,
): Promise<Caller | undefined> | undefined {
  if (endpoint === undefined || endpoint.scope === 'public') return undefined;
  const token = cookieOf(request.headers.cookie, sessions.cookieName);
  if (token === undefined) return undefined;
  const marketplaceId = hasNoMarketplace(endpoint) ? undefined : marketplaceOf(request, endpoint);
  const [userAgent, address] = [userAgentOf(request), addressBucket(request.ip)];
  return sessions.identify({ token, userAgent, marketplaceId, address });
}

/** About a person or the platform: the marketplace header is ignored here. */
function hasNoMarketplace(endpoint: Endpoint): boolean {
  const { scope, platform } = endpoint;
  const isPlatform = platform === true && rolesOf(endpoint).length === 0;
  return scope === 'session' || scope === 'platform' || isPlatform;
}

/** An event source of a browser cannot send headers: the stream's own query names it too. */
function marketplaceOf({ headers, query }: Facts, { rawResponse }: Endpoint): string | undefined {
  const named = headers['x-holdfast-marketplace'];
  if (typeof named === 'string') return named;
  const { marketplaceId } = (query ?? {}) as { marketplaceId?: unknown };
  const isStream = rawResponse === 'event-stream';
  return isStream && typeof marketplaceId === 'string' ? marketplaceId : undefined;
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((each) => each.trimStart().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1) || undefined;
}

/**
 * Refuses requests that another site had a browser send. A read changes nothing and that site
 * cannot see its response; it is still refused where the browser reports another origin.
 */
export function checkSession(
  sessions: Sessions,
  request: Facts,
  { session }: OperatorActor | PersonActor,
): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  checkOrigin(sessions, request, isRead);
  if (isRead) return;
  const shown = request.headers['x-holdfast-csrf'];
  if (typeof shown !== 'string') refuse('CSRF_REQUIRED', { reason: 'X-Holdfast-Csrf is missing' });
  if (!isEqual(shown, session.csrfToken))
    refuse('CSRF_REQUIRED', { reason: 'X-Holdfast-Csrf does not match the session' });
}

/** Applies before sign-in too: another site must not sign a browser in. */
export function checkOrigin(
  { publicUrl }: Pick<Sessions, 'publicUrl'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  isRead: boolean,
): void {
  const site = headers['sec-fetch-site'];
  // Typed into the address bar, or opened from a bookmark.
  const isOwn = site === undefined || site === 'same-origin' || (isRead && site === 'none');
  if (!isOwn) refuse('CSRF_REQUIRED', { reason: 'cross-site request' });
  const { origin, host } = headers;
  if (origin === undefined) {
    if (isRead || site !== undefined) return;
    refuse('CSRF_REQUIRED', { reason: 'Origin and Sec-Fetch-Site are missing' });
  }
  const isOurs = originOf(origin)?.host === host || origin === originOf(publicUrl)?.origin;
  if (!isOurs) refuse('CSRF_REQUIRED', { reason: 'Origin does not match this service' });
}

function originOf(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '') ?? undefined;
}

/** Bound to the session; the session token cannot be derived from it. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The operator together with the reason of this request, which a change must have. */
export function withReason<A extends Caller>(
  endpoint: Endpoint,
  request: Pick<FastifyRequest, 'headers' | 'body'>,
  actor: A,
): A {
  if (actor.kind !== 'operator' && actor.kind !== 'person') return actor;
  const { method, changesNothing, scope } = endpoint;
  const reason = reasonOf(endpoint, request);
  const isChange = method !== 'GET' && changesNothing !== true && scope !== 'session';
  if (isChange && reason === null) refuse('REASON_REQUIRED', {});
  return { ...actor, reason };
}

/** Percent-encoded in the header, since headers carry no more than Latin letters. */
function reasonOf(
  endpoint: Endpoint,
  { headers, body }: Pick<FastifyRequest, 'headers' | 'body'>,
): string | null {
  const header = headers['x-holdfast-reason'];
  const { reason } = (body ?? {}) as { reason?: unknown };
  const text = typeof header === 'string' ? decoded(header) : isFree(endpoint) ? reason : null;
  if (typeof text !== 'string' || text.trim() === '') return null;
  if (text.length > LENGTHS.reason || text.includes('\0'))
    refuseField(
      'X-Holdfast-Reason',
      'length',
      `X-Holdfast-Reason must have at most ${LENGTHS.reason} characters`,
    );
  // An executed approval is found by these words in the reason of its audit entry.
  if (/\(apr_\w+, approved by/.test(text))
    refuseField('X-Holdfast-Reason', 'format', 'X-Holdfast-Reason must not imitate an approval');
  return text.trim();
}

/** A word from a list does not count as an operator's own reason. */
function isFree({ body }: Endpoint): boolean {
  const { properties } = (body ?? {}) as { properties?: Record<string, { enum?: unknown }> };
  return properties?.['reason']?.enum === undefined;
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
