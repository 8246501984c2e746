//! Sends spans to an OpenTelemetry collector. OpenTelemetry's packages are loaded only where one is
//! configured.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span as OtlpSpan, SpanOptions, Tracer } from '@opentelemetry/api';
import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { sendTraceTo } from './outgoing-trace.ts';
import { type Attributes, recordSpans, type Span, type SpanSettings } from './spans.ts';
import type { Trace } from './trace.ts';

type OpenTelemetry = typeof import('@opentelemetry/api');

const CLOSE_MS_MAX = 1000;

/** Records spans until it is closed, which sends the last ones. */
export async function startTracing(
  config: Config,
  role: 'api' | 'worker',
): Promise<{ close(): Promise<void> }> {
  const { HOLDFAST_TRACE_ENDPOINT: url, HOLDFAST_TRACE_SHARE: share } = config;
  sendTraceTo(config.HOLDFAST_TRACE_HOSTS);
  if (url === undefined) return { close: async () => undefined };
  const [otel, { TracerProvider, BatchSpanProcessor, AlwaysOnSampler }, exporter, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  // The spans that reach the tracer were sampled, and have their ids.
  let next: Trace | undefined;
  const provider = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    idGenerator: {
      generateTraceId: () => next?.traceId ?? '',
      generateSpanId: () => next?.spanId ?? '',
    },
    resource: resources.resourceFromAttributes({
      'service.name': `holdfast-${role}`,
      'service.namespace': 'holdfast',
      'service.version': VERSION,
      'service.instance.id': `${config.HOLDFAST_CELL}-${process.pid}`,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter({ url }) })],
  });
  const tracer = provider.getTracer('holdfast', VERSION);
  recordSpans({
    share,
    start: (trace, parent, settings) => {
      next = trace;
      return openSpan(otel, tracer, trace, parent, settings);
    },
  });
  return {
    close: async () => {
      recordSpans(undefined);
      // Spans are worth no delay: a collector that is away loses them.
      const closed = provider.shutdown().catch(() => undefined);
      await Promise.race([closed, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
    },
  };
}

function openSpan(
  otel: OpenTelemetry,
  tracer: Tracer,
  trace: Trace,
  parent: Trace | undefined,
  { name, kind, attributes, links = [] }: SpanSettings,
): Span {
  const context =
    parent === undefined
      ? otel.ROOT_CONTEXT
      : otel.trace.setSpanContext(otel.ROOT_CONTEXT, contextOf(parent));
  const options: SpanOptions = {
    kind: {
      server: otel.SpanKind.SERVER,
      client: otel.SpanKind.CLIENT,
      none: otel.SpanKind.INTERNAL,
    }[kind ?? 'none'],
    attributes,
    links: links.map((link) => ({ context: contextOf(link) })),
  };
  const span = tracer.startSpan(name, options, context);
  return { trace, end: (added, error) => endSpan(otel, span, added, error) };
}

function contextOf({ traceId, spanId }: Trace) {
  return { traceId, spanId, traceFlags: 1, isRemote: true };
}

/** The message of an error may quote a row or a body, so only its type leaves the process. */
function endSpan(
  otel: OpenTelemetry,
  span: OtlpSpan,
  attributes: Attributes = {},
  error?: Error & { code?: unknown },
): void {
  span.setAttributes(attributes);
  if (error !== undefined) {
    span.setAttribute('error.type', typeof error.code === 'string' ? error.code : error.name);
    span.setStatus({ code: otel.SpanStatusCode.ERROR });
  }
  span.end();
}
