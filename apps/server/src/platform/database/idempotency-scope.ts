//! The scope of an Idempotency-Key: the caller and the route it was used on.
import { fingerprint } from '../fingerprint.ts';

/** Scoped to the key family, so that a rotation between two retries repeats no effect. */
export function scopeHashOf(familyId: string, method: string, path: string, key: string): string {
  return fingerprint(`${familyId}\n${method}\n${path}\n${key.toLowerCase()}`);
}
