//! Do events come as they are sent, or does something on the way keep them back?
//!
//! The server begins every stream with a line at once. What has not come after seconds, while
//! ordinary calls are answered, is being collected by a proxy.
import { spanText } from '../terminal/words.ts';
import { type Check, faulty, fine, reasonOf, skipped } from './check.ts';

const FIRST_LINE_MS_MAX = 3000;

export const checkStream: Check = {
  name: 'event stream',
  needsServer: true,
  async look({ url, apiKey }) {
    if (apiKey === undefined) return skipped('needs an API key');
    const begun = performance.now();
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), FIRST_LINE_MS_MAX);
    try {
      const answer = await fetch(`${url}/api/v1/events`, {
        headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' },
        signal: waiting.signal,
      });
      if (!answer.ok || answer.body === null)
        return skipped(`the stream was not opened: ${answer.status}`);
      const { value } = await answer.body.getReader().read();
      if (value === undefined) return skipped('the stream ended at once');
      return fine(`the first line comes after ${spanText(performance.now() - begun)}`);
    } catch (error) {
      if (!waiting.signal.aborted) return skipped(`the stream was not opened: ${reasonOf(error)}`);
      return faulty(
        'stream-buffered',
        `nothing of the event stream came through ${url} in ${spanText(FIRST_LINE_MS_MAX)}`,
        'a proxy collects it: no response buffering and no compression for /api/v1/events (nginx: proxy_buffering off, gzip off)',
      );
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  },
};
