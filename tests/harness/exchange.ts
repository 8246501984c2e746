//! One HTTP exchange; its result separates a response, a request never sent, and an unknown
//! outcome.
import http from 'node:http';

export interface Exchanged {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** No response came: either the request was never sent, or its outcome is unknown. */
export interface Lost {
  readonly status: undefined;
  readonly isNeverSent: boolean;
  /** Such as `ECONNRESET`. */
  readonly cause: string;
}

export interface Sending {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  readonly msMax?: number | undefined;
}

/** Longer than a request may wait for its operation. */
const RESPONSE_TIMEOUT_MS = 45_000;
const agent = new http.Agent({ keepAlive: true });

export function exchange(url: string, sending: Sending): Promise<Exchanged | Lost> {
  const { method, headers, body = '', msMax = RESPONSE_TIMEOUT_MS } = sending;
  return new Promise((resolve) => {
    const request = http.request(url, { method, headers, agent, timeout: msMax });
    request.on('timeout', () => request.destroy(new Error(`nothing within ${msMax} ms`)));
    const lose = ({ code, message }: NodeJS.ErrnoException) =>
      resolve({
        status: undefined,
        isNeverSent: code === 'ECONNREFUSED',
        cause: code ?? message,
      });
    request.on('error', lose);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', lose);
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

/** Open keep-alive connections would keep the process running. */
export function closeConnections(): void {
  agent.destroy();
}
