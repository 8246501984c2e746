//! The trace that work belongs to, as W3C Trace Context describes it. It follows the work through
//! every await; rows and headers carry it from process to process.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from '@holdfast/kernel/random';

export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits: the span that the work is part of. */
  readonly spanId: string;
  /** Whether spans of this trace are recorded. */
  readonly isSampled: boolean;
}

const active = new AsyncLocalStorage<Trace>();

export function currentTrace(): Trace | undefined {
  return active.getStore();
}

/** Runs the work as part of the trace. */
export function inTrace<T>(trace: Trace, work: () => T): T {
  return active.run(trace, work);
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The lowest bit of the flags. */
const SAMPLED = /[13579bdf]$/;

/** Undefined for anything that is not a valid `traceparent`. */
export function readTraceparent(text: string | null | undefined): Trace | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text ?? '') ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: SAMPLED.test(flags) };
}

export function traceparentOf({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`;
}

/** Of the work that runs now; null where it has no trace. */
export function currentTraceparent(): string | null {
  const trace = currentTrace();
  return trace === undefined ? null : traceparentOf(trace);
}

/** A trace of our own; the id alone decides whether it is among the sampled share. */
export function startTrace(share: number, traceId: string = randomHex(16)): Trace {
  const isSampled = Buffer.from(traceId.slice(-8), 'hex').readUInt32BE() < share * 2 ** 32;
  return { traceId, spanId: randomHex(8), isSampled };
}

/** The next span below the one that the trace is in. */
export function childOf(parent: Trace): Trace {
  return { ...parent, spanId: randomHex(8) };
}

function randomHex(bytes: number): string {
  return Buffer.from(randomBytes(bytes)).toString('hex');
}
