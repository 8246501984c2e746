//! Reads a log from its start over one stream, counts events and checks their order. It is a
//! separate process, so that the reading costs the server nothing.
import http from 'node:http';
import { serve } from '../harness/helper.ts';

export interface ReplayOrder {
  readonly url: string;
  readonly key: string;
  readonly since: string;
  readonly events: number;
}

interface ReplayReport {
  events: number;
  bytes: number;
  /** Events whose id was not above the one before. */
  disordered: number;
  firstMs: number;
  totalMs: number;
}

/** Longer without a byte than this is a fault. */
const SILENCE_MS_MAX = 20_000;
const CURSOR_LENGTH = '2026-01-01T00:00:00.000000Z'.length;

async function replay({ url, key, since, events }: ReplayOrder): Promise<ReplayReport> {
  const report: ReplayReport = { events: 0, bytes: 0, disordered: 0, firstMs: 0, totalMs: 0 };
  const startedAt = performance.now();
  const agent = new http.Agent();
  const request = http.get(`${url}/api/v1/events?since=${encodeURIComponent(since)}`, {
    agent,
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
  });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  response.setTimeout(SILENCE_MS_MAX, () => response.destroy(new Error('nothing came any more')));
  const take = messageReader(report);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (response.statusCode !== 200) throw new Error(chunk.toString());
    if (report.bytes === 0) report.firstMs = performance.now() - startedAt;
    report.bytes += chunk.length;
    take(chunk.toString('latin1'));
    if (report.events >= events) break;
  }
  report.totalMs = performance.now() - startedAt;
  request.destroy();
  return report;
}

/** Finds the ids in the stream's text: each line that starts with `id:`. */
function messageReader(report: ReplayReport): (text: string) => void {
  let rest = '';
  let last = '';
  return (piece) => {
    const text = rest + piece;
    let from = 0;
    for (;;) {
      const end = text.indexOf('\n\n', from);
      if (end < 0) break;
      const line = text.startsWith('id: ', from) ? from : text.indexOf('\nid: ', from) + 1;
      if (text.startsWith('id: ', line) && line < end) {
        const cursor = text.slice(line + 4, line + 4 + CURSOR_LENGTH);
        if (cursor <= last) report.disordered += 1;
        last = cursor;
        report.events += 1;
      }
      from = end + 2;
    }
    rest = text.slice(from);
  };
}

export const skills = { replay };
serve(skills);
