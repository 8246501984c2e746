//! One HTTP exchange, told apart by what the caller may conclude from it.
import http from 'node:http';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Nothing came back: either it was never sent, or nobody knows what became of it. */
export interface NoAnswer {
  status: undefined;
  isNeverSent: boolean;
}

const ANSWER_MS_MAX = 10_000;
const agent = new http.Agent({ keepAlive: true });

export function exchange(
  url: string,
  method: 'GET' | 'POST',
  headers: Record<string, string>,
  body = '',
): Promise<Answer | NoAnswer> {
  return new Promise((resolve) => {
    const request = http.request(url, { method, headers, agent, timeout: ANSWER_MS_MAX });
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
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.end(body);
  });
}

export function closeConnections(): void {
  agent.destroy();
}
