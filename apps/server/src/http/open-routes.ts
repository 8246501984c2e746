//! Routes that let everyone in, as the old service did: only where `HOLDFAST_COMPAT` says so, which
//! production refuses.
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The key that a request without any stands for. A wrong key is still a wrong key. */
export function keyOfNobody(
  { HOLDFAST_COMPAT: compat, HOLDFAST_COMPAT_KEY: key }: Config,
  { headers }: FastifyRequest,
  endpoint: Endpoint | undefined,
): string | undefined {
  if (compat !== 'observed' || endpoint === undefined || !isOpen(endpoint)) return undefined;
  return headers.authorization === undefined && headers.cookie === undefined ? key : undefined;
}

/** Of the order's family all but disputes, which wanted a key there too. */
function isOpen({ orderFamily, surface, path }: Endpoint): boolean {
  return orderFamily === true && surface !== 'b' && !path.includes('/dispute');
}
