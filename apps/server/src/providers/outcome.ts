//! The outcomes of a provider call. Time-outs are not failures: `unknown` never rolls anything
//! back.

export interface Done<T> {
  readonly kind: 'done';
  readonly value: T;
  /** The reply itself was lost; reading the record showed this. */
  readonly isFoundLater?: true;
}

/** Definitely not done, now and later. The code is the provider's own where it has one. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: string;
  readonly reason: string;
}

/** It may or may not have been done; only reading the record shows which. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

export type Outcome<T> = Done<T> | Refused | Unknown;

export const done = <T>(value: T): Done<T> => ({ kind: 'done', value });
export const foundLater = <T>(value: T): Done<T> => ({ ...done(value), isFoundLater: true });
export const refused = (code: string, reason: string): Refused => ({
  kind: 'refused',
  code,
  reason,
});
export const unknown = (reason: string): Unknown => ({ kind: 'unknown', reason });
