//! Answers over HTTP what a sandbox would, out of the healthy world: for the command line's test.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NetworkPayment } from '../outside.ts';
import type { World } from './world.ts';

export interface StubSandbox {
  readonly url: string;
  close(): void;
}

export async function openStubSandbox({ journal, outside }: World): Promise<StubSandbox> {
  const webhooks = outside.webhooks.map(({ provider, event: eventId, body }) => ({
    id: eventId,
    status: 'delivered',
    url: `http://127.0.0.1/api/v1/webhooks/${provider}`,
    body,
  }));
  const answers: Readonly<Record<string, object>> = {
    '/control/journal': { entries: journal },
    '/control/webhooks': { webhooks },
    '/horizon/payments': { _embedded: { records: outside.payments.map(recordOf) } },
    '/horizon/transactions': { _embedded: { records: [{ paging_token: '1' }] } },
  };
  const server = createServer(({ url = '' }, answer) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    answer.writeHead(pathname in answers ? 200 : 404).end(JSON.stringify(answers[pathname]));
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
  const place = { id: operation, paging_token: operation, transaction_hash: hash };
  return { ...place, type: 'payment', ...named, ...payment };
}
