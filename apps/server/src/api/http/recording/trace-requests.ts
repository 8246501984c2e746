//! Gives each request its trace: the caller's, or one whose id is that of the request.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Span, sampledShare, startSpanAs } from '../../../platform/telemetry/spans.ts';
import {
  childOf,
  inTrace,
  readTraceparent,
  startTrace,
  type Trace,
} from '../../../platform/telemetry/trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    trace: Trace;
    span: Span | undefined;
  }
}

/** Registered before all other hooks, so that their log lines have the trace too. */
export function traceRequests(http: FastifyInstance): void {
  http.decorateRequest('span', undefined);
  http.addHook('onRequest', (request, _reply, done) => {
    const parent = readTraceparent(request.headers['traceparent']?.toString());
    const trace =
      parent === undefined
        ? startTrace(sampledShare(), request.id.replaceAll('-', '').toLowerCase())
        : childOf(parent);
    request.trace = trace;
    request.span = startSpanAs(trace, parent, spanOf(request));
    inTrace(trace, done);
  });
  // Reading a body ends in the context of the connection, not in that of the request.
  http.addHook('preValidation', ({ trace }, _reply, done) => inTrace(trace, done));
  http.addHook('onResponse', ({ trace, span }, { statusCode }, done) => {
    const error = statusCode >= 500 ? new Error(String(statusCode)) : undefined;
    span?.end({ 'http.response.status_code': statusCode }, error);
    inTrace(trace, done);
  });
}

function spanOf({ method, id, routeOptions: { url = '' } }: FastifyRequest) {
  return {
    name: `${method} ${url}`.trim(),
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'http.route': url,
      'holdfast.request_id': id,
    },
  } as const;
}
