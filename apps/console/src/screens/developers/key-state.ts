//! Whether a key works, by its dates and the service's time.
import type { ApiKey } from '@holdfast/sdk';

type Dated = Pick<ApiKey, 'revokedAt' | 'expiresAt'>;

export type KeyState = 'ACTIVE' | 'EXPIRED' | 'REVOKED';

export function keyState({ revokedAt, expiresAt }: Dated, nowMs: number): KeyState {
  if (revokedAt !== null) return 'REVOKED';
  if (expiresAt === null) return 'ACTIVE';
  return Date.parse(expiresAt) <= nowMs ? 'EXPIRED' : 'ACTIVE';
}
