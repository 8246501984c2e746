//! What an Idempotency-Key is known by: where it was used, and by whom.
import { fingerprint } from './fingerprint.ts';

/** Who used the key where: the key family, so that a rotation in mid-retry repeats nothing. */
export function scopeHashOf(familyId: string, method: string, path: string, key: string): string {
  return fingerprint(`${familyId}\n${method}\n${path}\n${key.toLowerCase()}`);
}
