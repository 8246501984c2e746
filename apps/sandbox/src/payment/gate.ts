//! Authentication and rate limit of the payment provider.
import type { IncomingMessage } from 'node:http';
import type { World } from '../world.ts';
import { PaymentRefusal } from './errors.ts';

const REQUESTS_MAX = 10;
const WINDOW_MS = 1000;

/** Any key and any secret will do, as long as both are there. */
export function admit(world: World, request: IncomingMessage): void {
  const key = readKey(request.headers.authorization);
  if (key === undefined) throw new PaymentRefusal('415904');
  if (world.store.get<boolean>('limits', 'payment') === true) checkRate(world, key);
}

function readKey(header: string | undefined): string | undefined {
  const token = /^basic ([a-z0-9+/]+=*)$/i.exec(header ?? '')?.[1];
  const text = Buffer.from(token ?? '', 'base64').toString('utf8');
  return /^([^:]+):.+$/.exec(text)?.[1];
}

/** The times of the last requests, by world and key: a rate is nothing to survive a restart. */
const arrivals = new WeakMap<World, Map<string, number[]>>();

function checkRate(world: World, key: string): void {
  const keys = arrivals.get(world) ?? new Map<string, number[]>();
  arrivals.set(world, keys);
  const now = world.clock.now();
  const recent = (keys.get(key) ?? []).filter((at) => at > now - WINDOW_MS);
  if (recent.length < REQUESTS_MAX) recent.push(now);
  else throw new PaymentRefusal('415999');
  keys.set(key, recent);
}
