//! Checks that events arrive as they are sent, without a proxy that buffers them.
//!
//! The server starts every stream with a line at once. If that line has not come after seconds,
//! while ordinary calls get responses, a proxy is buffering it.
import { spanText } from '../terminal/words.ts';
import { type Check, faulty, fine, reasonOf, skipped } from './check.ts';

const FIRST_LINE_MS_MAX = 3000;

export const checkStream: Check = {
  name: 'event stream',
  needsServer: true,
  async run({ url, apiKey }) {
    if (apiKey === undefined) return skipped('requires an API key');
    const startedAt = performance.now();
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), FIRST_LINE_MS_MAX);
    try {
      const response = await fetch(`${url}/api/v1/events`, {
        headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' },
        signal: waiting.signal,
      });
      if (!response.ok || response.body === null)
        return skipped(`stream not opened: ${response.status}`);
      const { value } = await response.body.getReader().read();
      if (value === undefined) return skipped('the stream closed immediately');
      return fine(`first line received after ${spanText(performance.now() - startedAt)}`);
    } catch (error) {
      if (!waiting.signal.aborted) return skipped(`stream not opened: ${reasonOf(error)}`);
      return faulty(
        'stream-buffered',
        `no data from the event stream of ${url} within ${spanText(FIRST_LINE_MS_MAX)}`,
        'disable response buffering and compression for /api/v1/events in the proxy (nginx: proxy_buffering off, gzip off)',
      );
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  },
};
