//! Prints the events of the marketplace as they happen.
import { setTimeout as sleep } from 'node:timers/promises';

export interface SeenEvent {
  readonly eventType: string;
  readonly occurredAt: string;
  readonly aggregateId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface TailSource {
  readonly api: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

const RETRY_MS = 1000;

/** Runs until the signal; events missed during a lost connection are shown late. */
export async function tailEvents(
  { api, apiKey, signal }: TailSource,
  show: (event: SeenEvent) => void,
): Promise<void> {
  let cursor: string | undefined;
  while (!signal.aborted) {
    try {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
      };
      const response = await fetch(`${api}/api/v1/events`, { headers, signal });
      for await (const message of messagesOf(response)) {
        const [id, data] = [fieldOf(message, 'id'), fieldOf(message, 'data')];
        if (id === undefined || data === undefined) continue;
        cursor = id;
        show(JSON.parse(data) as SeenEvent);
      }
    } catch {
      // For display only: a consumer that must not miss an event stores its cursor.
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function* messagesOf(response: Response): AsyncGenerator<string> {
  if (!response.ok || response.body === null) return;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = `${rest}${text}`.split('\n\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

function fieldOf(message: string, name: string): string | undefined {
  return new RegExp(`^${name}: ?(.*)$`, 'm').exec(message)?.[1];
}
