//! A proxy that passes an answer on when it is complete, as many do unless they are told otherwise.
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Served, serve } from '../harness/serve.ts';

export function startBufferingProxy(target: string): Promise<Served> {
  return serve(({ method, url, headers }, body, outgoing) => {
    const asked = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
      const cut = () => outgoing.destroy();
      buffer(answer).then((whole) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(whole);
      }, cut);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    asked.end(body);
  });
}
