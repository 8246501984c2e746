//! A proxy that buffers each response until it is complete, as many do by default.
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Served, serve } from '../../harness/serve.ts';

export function startBufferingProxy(target: string): Promise<Served> {
  return serve(({ method, url, headers }, body, outgoing) => {
    const upstream = request(new URL(url ?? '/', target), { method, headers }, (response) => {
      const cut = () => outgoing.destroy();
      buffer(response).then((whole) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers).end(whole);
      }, cut);
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    upstream.end(body);
  });
}
