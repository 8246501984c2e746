//! Routes that need no key, as in the service that Holdfast replaces: only where `HOLDFAST_COMPAT`
//! enables it, which production refuses.
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';

/** The key that is used for a request without any. A wrong key is still refused. */
export function compatKeyOf(
  { HOLDFAST_COMPAT: compat, HOLDFAST_COMPAT_KEY: key }: Config,
  { headers }: FastifyRequest,
  endpoint: Endpoint | undefined,
): string | undefined {
  if (compat !== 'observed' || endpoint === undefined || !isOpen(endpoint)) return undefined;
  return headers.authorization === undefined && headers.cookie === undefined ? key : undefined;
}

/**
 * The routes of orders, escrows and resolutions, among them the one that opens a dispute. The
 * disputes themselves required a key in the old service too.
 */
function isOpen({ isOrderRoute, surface, path }: Endpoint): boolean {
  return isOrderRoute === true && surface !== 'b' && !path.startsWith('/disputes');
}
