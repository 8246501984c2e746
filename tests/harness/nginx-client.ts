//! Single requests to the api through nginx, over TLS, from any loopback address.
import http from 'node:http';
import https from 'node:https';
import { type Nginx, SERVER_NAME } from './nginx.ts';

/** Calls go through nginx, or directly to the api. */
export type NginxTarget = Pick<Nginx, 'port' | 'certificate'> | { readonly url: string };

export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** The loopback address of the client. */
  readonly from?: string;
  /** Surface A by default; Surface B and the sites have none. */
  readonly prefix?: string;
}

export function send(
  target: NginxTarget,
  path: string,
  sending: Sending = {},
): Promise<http.IncomingMessage> {
  const { method = 'GET', headers = {}, body, from, prefix = '/api/v1' } = sending;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const options = {
    method,
    agent: false,
    headers: {
      ...headers,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
    ...(from === undefined ? {} : { localAddress: from }),
  } as const;
  const url = `${prefix}${path}`;
  const request =
    'url' in target
      ? http.request(`${target.url}${url}`, options)
      : https.request({
          ...options,
          host: '127.0.0.1',
          port: target.port,
          path: url,
          servername: SERVER_NAME,
          ca: target.certificate,
        });
  request.end(text);
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
}

export async function bodyOf(response: http.IncomingMessage): Promise<unknown> {
  const pieces = (await response.toArray()) as Buffer[];
  return JSON.parse(Buffer.concat(pieces).toString()) as unknown;
}
