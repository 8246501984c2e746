//! The header that carries a trace to another service, for hosts that may see it.
import { currentTrace, traceparentOf } from './trace.ts';

let receivers: ReadonlySet<string> = new Set();

/** Only these hosts get the header: others would see which requests belong together. */
export function sendTraceTo(hosts: readonly string[]): void {
  receivers = new Set(hosts);
}

export function traceHeaders(url: string): { traceparent?: string } {
  const trace = currentTrace();
  if (trace === undefined || receivers.size === 0) return {};
  return receivers.has(new URL(url).hostname) ? { traceparent: traceparentOf(trace) } : {};
}
