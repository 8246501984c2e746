//! The client of Surface B: members with a login, balances, projects and project escrows.

import { Client, type HoldfastOptions } from '#client';
import type { HoldfastError } from '#errors';
import { MembersCalls } from '#generated/members';
import { MEMBER_CODES } from '#generated/members-errors';
import {
  type CallContext,
  type Envelope,
  failure,
  readJson,
  unreadable,
  withFields,
} from '#response';

export interface MembersOptions extends Omit<HoldfastOptions, 'apiKey' | 'session'> {
  /** The token of `register` or `logIn`. */
  readonly token?: string | undefined;
}

/**
 * Surface B. Money is a number here, as that surface has it.
 *
 * ```ts
 * const anyone = new Members({ baseUrl });
 * const { token } = await anyone.logIn({ email, password });
 * const { balances } = await anyone.as(token).listBalances();
 * ```
 */
export class Members extends MembersCalls {
  readonly #options: MembersOptions;

  constructor(options: MembersOptions = {}) {
    // Never a key of the environment: a member is not the marketplace.
    super(new Client({ ...options, apiKey: options.token ?? '' }, SURFACE_B));
    this.#options = options;
  }

  /** The same client for the holder of this token. */
  as(token: string): Members {
    return new Members({ ...this.#options, token });
  }
}

const SURFACE_B = { base: '', needsKey: false, read: readMemberEnvelope, failure: memberFailure };

function readMemberEnvelope(response: Response, text: string, context: CallContext): Envelope {
  const body = readJson(text);
  if (body === undefined || !('data' in body)) throw unreadable(response, text, context);
  return { data: { data: body['data'] } };
}

/** What a status means when its sentence is not one of the catalogue's. */
const USUAL_CODES: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
  504: 'PROVIDER_TIMEOUT',
};

/** Surface B returns a sentence and no code; the catalogue has the code of each sentence. */
function memberFailure(response: Response, text: string, context: CallContext): HoldfastError {
  const { ok, message, errors } = readJson(text) ?? {};
  if (ok !== false || typeof message !== 'string') return unreadable(response, text, context);
  const { status } = response;
  const code = MEMBER_CODES[`${status} ${message}`] ?? USUAL_CODES[status] ?? `STATUS_${status}`;
  const details = code === 'VALIDATION_ERROR' ? { validationErrors: errors ?? [message] } : {};
  return failure(code, response, context, { message: withFields(message, code, details), details });
}

export type * from '#generated/members-records';
