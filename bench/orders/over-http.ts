//! The service as a marketplace sees it: every step is a request to the api.
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { Side } from './life.ts';

export interface Api {
  readonly url: string;
  readonly key: string;
}

export type Post = (path: string, body?: object) => Promise<Record<string, unknown>>;

/** Connections are kept; whatever is not a success is thrown. */
export function poster({ url, key }: Api): Post {
  const agent = new http.Agent({ keepAlive: true });
  return async (path, body = {}) => {
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http.request(`${url}/api/v1${path}`, {
        agent,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      request.once('response', resolve);
      request.once('error', reject);
      request.end(JSON.stringify(body));
    });
    const said = await text(answer);
    const status = answer.statusCode ?? 0;
    if (status >= 300) throw new Error(`${path} answered ${status}: ${said.slice(0, 300)}`);
    return (JSON.parse(said) as { data: { data: Record<string, unknown> } }).data.data;
  };
}

export function overHttp(post: Post): Side {
  const act = async (path: string) => void (await post(path));
  return {
    name: 'HTTP API',
    createOrder: async (wish) => String((await post('/orders', wish))['id']),
    reserve: (orderId) => act(`/orders/${orderId}/reserve`),
    createEscrow: (orderId) => act(`/orders/${orderId}/escrow`),
    fund: (orderId) => act(`/orders/${orderId}/escrow/fund`),
    complete: (orderId, ref) => act(`/orders/${orderId}/milestones/${ref}/complete`),
    release: (orderId) => act(`/orders/${orderId}/resolution/release`),
  };
}
