//! Tests the spans that a collector gets, from a request to the books, an operation and a provider.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { systemClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { executeOnce } from '../../engine/attempt.ts';
import { sagasOf } from '../../engine/saga.ts';
import { ProviderHttp } from '../../providers/provider-http.ts';
import { useToyWorld } from '../../testing/engine.ts';
import { openToy, toySaga } from '../../testing/toy-saga.ts';
import type { World } from '../../testing/world.ts';
import { systemCall } from '../call.ts';
import { createLog } from '../process/log.ts';
import { startTracing } from './otlp.ts';
import { inSpan } from './spans.ts';
import { inTrace, readTraceparent, startTrace } from './trace.ts';

interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly links?: readonly { readonly traceId: string }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

async function openSpanCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    void json(request).then((sent) => {
      for (const { scopeSpans } of (sent as Export).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    spans,
    url: `http://127.0.0.1:${port}/v1/traces`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const { world, market } = useToyWorld();
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = (flags: string) => `00-${CALLER.traceId}-${CALLER.spanId}-${flags}`;

async function collect(
  work: () => Promise<void>,
  settings: { share?: number; hosts?: readonly string[] } = {},
): Promise<CollectedSpan[]> {
  const collector = await openSpanCollector();
  const { share: HOLDFAST_TRACE_SHARE = 0, hosts: HOLDFAST_TRACE_HOSTS = [] } = settings;
  const own = { HOLDFAST_TRACE_ENDPOINT: collector.url, HOLDFAST_TRACE_SHARE };
  const config = { ...world.app.config, ...own, HOLDFAST_TRACE_HOSTS };
  const tracing = await startTracing(config, 'api');
  try {
    await work();
  } finally {
    await tracing.close();
    collector.close();
  }
  return collector.spans;
}

const credit = async (headers: Record<string, string>) => {
  const user = await market.user();
  const path = `/users/${user}/balance/credit`;
  const { status } = await market.send('POST', path, { body: { amount: '1.00' }, headers });
  expect(status).toBe(200);
};

it('a sampled request is a span of its caller, and the batch of its posting is one below', async () => {
  const spans = await collect(() => credit({ traceparent: traceparent('01') }));
  const request = spans.find(({ name }) => name.startsWith('POST '));
  expect(request).toMatchObject({
    traceId: CALLER.traceId,
    parentSpanId: CALLER.spanId,
    kind: 2,
    name: expect.stringMatching(/^POST .*\/users\/:userId\/balance\/credit$/),
  });
  const batch = spans.find(({ name }) => name === 'posting batch');
  expect(batch).toMatchObject({ traceId: CALLER.traceId, parentSpanId: request?.spanId });
});

it('a request that the caller does not sample leaves no span, nor one below the share', async () => {
  const spans = await collect(async () => {
    await credit({ traceparent: traceparent('00') });
    await credit({});
  });
  expect(spans).toEqual([]);
});

it('a request of its own has the trace id of its request id', async () => {
  const requestId = '6f1c2a4e-0b7d-4d7e-9a53-1f2e3d4c5b6a';
  const spans = await collect(() => credit({ 'x-request-id': requestId }), { share: 1 });
  const [request, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(request).toMatchObject({ kind: 2, traceId: requestId.replaceAll('-', '') });
  expect(others).toEqual([]);
});

it('the attempts at an operation belong to the trace of the request that opened it', async () => {
  const spans = await collect(async () => {
    const parent = readTraceparent(traceparent('01'));
    if (parent === undefined) throw new Error('it is valid');
    const operation = await inTrace(parent, () =>
      openToy(world.app, market.call, { plan: { one: { refused: 1 } } }),
    );
    const { marketplace, id, epoch } = operation;
    const sagas = sagasOf([toySaga<World['app']>()]);
    await executeOnce(world.worker, sagas, systemCall(marketplace), { operationId: id, epoch });
  });
  const opening = spans.find(({ parentSpanId }) => parentSpanId === CALLER.spanId);
  expect(opening).toMatchObject({ name: 'transaction', traceId: CALLER.traceId });
  const attempt = spans.find(({ name }) => name === 'attempt toy-run');
  expect(attempt).toMatchObject({ traceId: CALLER.traceId, parentSpanId: opening?.spanId });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === attempt?.spanId);
  expect(below.map(({ name }) => name)).toContain('transaction');
});

it('only a host that is named gets the trace with a call, which is a span', async () => {
  const seen: (string | undefined)[] = [];
  const provider = createServer((request, response) => {
    seen.push(request.headers['traceparent']?.toString());
    response.end('{}');
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const http = new ProviderHttp({
    name: 'provider',
    baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    headers: {},
    perMinute: null,
    clock: systemClock,
    log: createLog('silent', 'test'),
  });
  const call = () =>
    inTrace(startTrace(1), async () => {
      await http.send({ method: 'GET', path: '/secret-id', timeoutMs: 5000 });
    });
  const withHost = await collect(call, { hosts: ['127.0.0.1'] });
  const without = await collect(call, { hosts: ['localhost'] });
  provider.closeAllConnections();
  provider.close();
  const [span] = withHost;
  expect(seen).toEqual([`00-${span?.traceId}-${span?.spanId}-01`, undefined]);
  expect(without).toMatchObject([{ name: 'GET provider', kind: 3 }]);
  expect(JSON.stringify(withHost)).not.toContain('secret-id');
});

it('a span that ends with an error says which, and not its message', async () => {
  const error = Object.assign(new Error('Key (email)=(ana@example.com)'), { code: '23505' });
  const spans = await collect(async () => {
    const settings = { name: 'transaction', attributes: {} };
    const failing = inTrace(startTrace(1), () => inSpan(settings, () => Promise.reject(error)));
    await expect(failing).rejects.toBe(error);
  });
  expect(spans).toMatchObject([{ name: 'transaction', status: { code: 2 } }]);
  expect(JSON.stringify(spans)).toContain('23505');
  expect(JSON.stringify(spans)).not.toContain('ana@example.com');
});
