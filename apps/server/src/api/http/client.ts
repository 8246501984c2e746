//! Where a request came from: the address behind the trusted proxies, and the user agent.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Client } from '../../platform/call.ts';
import { userAgentOf } from './session.ts';

const USER_AGENT_MAX = 200;

/** A trusted proxy passes on what it was sent, so the text may be anything. */
export function clientOf(request: Pick<FastifyRequest, 'ip' | 'headers'>): Client {
  const address = request.ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return {
    address: isIP(address) === 0 ? null : address,
    userAgent: userAgentOf(request).slice(0, USER_AGENT_MAX) || null,
  };
}
