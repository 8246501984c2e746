//! Serves the healthy world over HTTP as a sandbox would: for the test of the command line.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NetworkPayment } from '../external-state.ts';
import type { World } from './world.ts';

export interface StubSandbox {
  readonly url: string;
  close(): void;
}

export async function openStubSandbox({ journal, external }: World): Promise<StubSandbox> {
  const webhooks = external.webhooks.map(({ provider, event: eventId, body }) => ({
    id: eventId,
    status: 'delivered',
    url: `http://127.0.0.1/api/v1/webhooks/${provider}`,
    body,
  }));
  const responses: Readonly<Record<string, object>> = {
    '/control/journal': { entries: journal },
    '/control/webhooks': { webhooks },
    '/horizon/payments': { _embedded: { records: external.payments.map(recordOf) } },
    '/horizon/transactions': { _embedded: { records: [{ paging_token: '1' }] } },
  };
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    response.writeHead(pathname in responses ? 200 : 404).end(JSON.stringify(responses[pathname]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function recordOf({ operation, hash, asset, ...payment }: NetworkPayment): object {
  const named =
    asset === 'XLM'
      ? { asset_type: 'native' }
      : { asset_type: 'credit_alphanum4', asset_code: asset, asset_issuer: 'GISSUER' };
  const source = { id: operation, paging_token: operation, transaction_hash: hash };
  return { ...source, type: 'payment', ...named, ...payment };
}
