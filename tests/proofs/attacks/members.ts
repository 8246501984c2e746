//! Members of Surface B, as attackers and as targets.
import { randomBytes } from 'node:crypto';
import type { AttackWorld } from './world.ts';

/** One that the service accepts. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/** A key of the marketplace that members belong to. */
export async function memberMarketplaceKey({ arrange, ready }: AttackWorld): Promise<string> {
  const { surfaceBMarketplaceId: marketplaceId, masterKey } = ready;
  const body = { name: 'Back end', scopes: ['read', 'write', 'support'], marketplaceId };
  return String((await arrange('/auth/api-keys', body, masterKey))['key']);
}
