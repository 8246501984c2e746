//! Spans: what took how long in a trace. They cost nothing where no collector is configured, and
//! almost nothing in a trace that is not sampled.
import { childOf, currentTrace, inTrace, type Trace } from './trace.ts';

export interface SpanSettings {
  readonly name: string;
  /** Of a received request, or of a sent one; without it, work of this process. */
  readonly kind?: 'server' | 'client';
  readonly attributes: Attributes;
  /** Traces whose work this span also does. */
  readonly links?: readonly Trace[];
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  readonly trace: Trace;
  /** With the error that ended it, if any. */
  end(attributes?: Attributes, error?: Error): void;
}

export interface SpanRecorder {
  /** The share of the traces that start here that is sampled. */
  readonly share: number;
  /** Starts the span that `trace` names, below its parent. */
  start(trace: Trace, parent: Trace | undefined, settings: SpanSettings): Span;
}

let recorder: SpanRecorder | undefined;

/** Undefined ends the recording. */
export function recordSpans(next: SpanRecorder | undefined): void {
  recorder = next;
}

/** The share of the traces that start here that is sampled: none without a collector. */
export function sampledShare(): number {
  return recorder?.share ?? 0;
}

/** Undefined where nothing is recorded. */
export function startSpan(
  settings: SpanSettings,
  parent: Trace | undefined = currentTrace(),
): Span | undefined {
  return parent === undefined ? undefined : startSpanAs(childOf(parent), parent, settings);
}

/** As above, for a span whose ids are known already. */
export function startSpanAs(
  trace: Trace,
  parent: Trace | undefined,
  settings: SpanSettings,
): Span | undefined {
  return trace.isSampled ? recorder?.start(trace, parent, settings) : undefined;
}

/** Runs the work in a span of its own. */
export async function inSpan<T>(settings: SpanSettings, work: () => Promise<T>): Promise<T> {
  const span = currentTrace()?.isSampled === true ? startSpan(settings) : undefined;
  if (span === undefined) return work();
  try {
    const result = await inTrace(span.trace, work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, error as Error);
    throw error;
  }
}
