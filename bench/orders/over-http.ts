//! The service over HTTP: every step is a request to the api.
import { type ApiTarget, call, dataOf } from '../../tests/harness/api.ts';
import type { Side } from './life.ts';

/** On a busy machine it is slow; it should not give up before the service does. */
const RESPONSE_TIMEOUT_MS = 300_000;

export function overHttp(target: ApiTarget): Side {
  const post = async (path: string, body = {}) =>
    dataOf(path, await call(target, { path, body, msMax: RESPONSE_TIMEOUT_MS }));
  const act = async (path: string) => void (await post(path));
  return {
    createOrder: async (input) => String((await post('/orders', input))['id']),
    reserve: (orderId) => act(`/orders/${orderId}/reserve`),
    createEscrow: (orderId) => act(`/orders/${orderId}/escrow`),
    fund: (orderId) => act(`/orders/${orderId}/escrow/fund`),
    complete: (orderId, ref) => act(`/orders/${orderId}/milestones/${ref}/complete`),
    release: (orderId) => act(`/orders/${orderId}/resolution/release`),
  };
}
