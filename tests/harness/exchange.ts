//! One HTTP exchange, told apart by what the caller may conclude from it.
import http from 'node:http';

export interface Exchanged {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Nothing came back: either it was never sent, or nobody knows what became of it. */
export interface Lost {
  readonly status: undefined;
  readonly isNeverSent: boolean;
}

export interface Sending {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  readonly msMax?: number | undefined;
}

/** Longer than a request may wait for its operation. */
const ANSWER_MS_MAX = 45_000;
const agent = new http.Agent({ keepAlive: true });

export function exchange(url: string, sending: Sending): Promise<Exchanged | Lost> {
  const { method, headers, body = '', msMax = ANSWER_MS_MAX } = sending;
  return new Promise((resolve) => {
    const request = http.request(url, { method, headers, agent, timeout: msMax });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: undefined, isNeverSent: error.code === 'ECONNREFUSED' }),
    );
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve({ status: undefined, isNeverSent: false }));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    request.end(body);
  });
}

/** Those that are kept would keep the process too. */
export function closeConnections(): void {
  agent.destroy();
}
