//! The service as a marketplace sees it: every step is a request to the api.
import { ask, type Door, dataOf } from '../../tests/harness/api.ts';
import type { Side } from './life.ts';

/** On a busy machine it is slow; it should not give up before the service does. */
const ANSWER_MS_MAX = 300_000;

export function overHttp(door: Door): Side {
  const post = async (path: string, body = {}) =>
    dataOf(path, await ask(door, { path, body, msMax: ANSWER_MS_MAX }));
  const act = async (path: string) => void (await post(path));
  return {
    createOrder: async (wish) => String((await post('/orders', wish))['id']),
    reserve: (orderId) => act(`/orders/${orderId}/reserve`),
    createEscrow: (orderId) => act(`/orders/${orderId}/escrow`),
    fund: (orderId) => act(`/orders/${orderId}/escrow/fund`),
    complete: (orderId, ref) => act(`/orders/${orderId}/milestones/${ref}/complete`),
    release: (orderId) => act(`/orders/${orderId}/resolution/release`),
  };
}
