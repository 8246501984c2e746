//! A refused sign-in, as the audit log records it.
import type { Client } from './call.ts';

export interface RefusedSignIn {
  /** To the console, or to Surface B. */
  readonly flow: 'operator' | 'member';
  /** The caller, where a session was presented and its code or password was wrong. */
  readonly accountId: string | undefined;
  /** As it was typed; undefined with a session. */
  readonly email: string | undefined;
  readonly client: Client;
  readonly requestId: string;
}

/** Receives refused sign-ins: immediately, and the request does not wait for it. */
export interface RefusedSignInLog {
  record(refused: RefusedSignIn): void;
}
