//! Warns of refusals that may be an attack, once per caller, reason and minute; the rest of the
//! minute is counted, so that a flood does not fill the log.
import type { ErrorCode } from '@holdfast/contract/errors';
import type { Clock, Instant } from '@holdfast/kernel/clock';
import type { FastifyRequest } from 'fastify';
import { REQUEST_REFUSED, REQUESTS_REFUSED } from '../../../platform/process/alarms.ts';
import type { Log } from '../../../platform/process/log.ts';
import { addressBucket } from '../rate-limit.ts';

/** An honest caller seldom gets these: they are about who may do what, and how much. */
const SUSPICIOUS: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHORIZED',
  'WEBHOOK_SIGNATURE_INVALID',
  'INSUFFICIENT_SCOPE',
  'OPERATOR_ROLE_REQUIRED',
  'CSRF_REQUIRED',
  'SECOND_APPROVER_REQUIRED',
  'PLATFORM_ADMIN_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
  'WEBHOOK_URL_REFUSED',
  'RATE_LIMITED',
  'LIMIT_REACHED',
]);

const WINDOW_MS = 60_000;
/** Callers beyond these are counted together; callers who are known have room of their own. */
const CALLERS_MAX = 1000;

interface RefusalCount {
  readonly fields: Readonly<Record<string, unknown>>;
  count: number;
}

export class RefusalAlarm {
  readonly #deps: { readonly clock: Clock; readonly log: Log };
  #counts = new Map<string, RefusalCount>();
  #until: Instant = 0;

  constructor(deps: { readonly clock: Clock; readonly log: Log }) {
    this.#deps = deps;
  }

  record(request: FastifyRequest): void {
    const { refusalCode: code, actor, ip, headers } = request;
    if (code === undefined || !SUSPICIOUS.has(code)) return;
    // A browser whose session has expired, or that never signed in, sends no key.
    if (code === 'UNAUTHORIZED' && headers.authorization === undefined) return;
    this.#startWindow();
    const caller = actor?.id ?? addressBucket(ip);
    const key = `${code} ${caller}`;
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#hasRoom(actor !== undefined)) this.#warn(key, code, request);
    else this.#addToRest();
  }

  #warn(key: string, code: ErrorCode, { id, ip, actor, routeOptions }: FastifyRequest): void {
    const fields = { code, actor: actor?.id, address: ip, route: routeOptions.url };
    this.#counts.set(key, { fields, count: 1 });
    this.#deps.log.warn({ requestId: id, ...fields }, REQUEST_REFUSED);
  }

  #hasRoom(isKnown: boolean): boolean {
    return this.#counts.size < (isKnown ? 2 * CALLERS_MAX : CALLERS_MAX);
  }

  #addToRest(): void {
    const rest = this.#counts.get('') ?? { fields: { code: 'any', actor: 'others' }, count: 0 };
    rest.count += 1;
    this.#counts.set('', rest);
  }

  /** The first refusal after a window reports the counts of that window. */
  #startWindow(): void {
    const now = this.#deps.clock.now();
    if (now < this.#until) return;
    for (const { fields, count } of this.#counts.values())
      if (count > 1) this.#deps.log.warn({ ...fields, count }, REQUESTS_REFUSED);
    this.#counts = new Map();
    this.#until = now + WINDOW_MS;
  }
}
