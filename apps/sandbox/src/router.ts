//! A small router over node:http, with raw access to the response where faults need it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  /** The raw body; empty when there was none. */
  readonly body: string;
}

export type Handle = (exchange: Exchange) => Promise<void> | void;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handle: Handle;
}

export class Router {
  readonly #routes: Route[] = [];

  /** Paths may hold `:name`; the first route that fits is taken. */
  on(method: string, path: string, handle: Handle): void {
    const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    this.#routes.push({ method, pattern, handle });
  }

  listen(port: number, host = '127.0.0.1'): Promise<{ server: Server; url: string }> {
    const server = createServer((request, response) => void this.#dispatch(request, response));
    server.keepAliveTimeout = 60_000;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        const address = server.address();
        const bound = typeof address === 'object' && address !== null ? address.port : port;
        resolve({ server, url: `http://${host}:${bound}` });
      });
    });
  }

  async #dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    try {
      const body = await readBody(request);
      for (const { method, pattern, handle } of this.#routes) {
        const found = method === request.method ? pattern.exec(url.pathname) : null;
        if (found === null) continue;
        const params = Object.fromEntries(
          Object.entries(found.groups ?? {}).map(([name, value]) => [
            name,
            decodeURIComponent(value),
          ]),
        );
        await handle({ request, response, url, params, body });
        return;
      }
      sendJson(response, 404, {
        message: `Cannot ${request.method} ${url.pathname}`,
        error: 'Not Found',
        statusCode: 404,
      });
    } catch (error) {
      process.stderr.write(
        `sandbox: ${request.method} ${url.pathname}: ${(error as Error).stack}\n`,
      );
      if (!response.headersSent)
        sendJson(response, 500, { statusCode: 500, message: 'Internal server error' });
      else response.destroy();
    }
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return;
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
