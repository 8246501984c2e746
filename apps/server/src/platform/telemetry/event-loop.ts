//! Measures how late timers are: the time for which the event loop was busy with something else.
import { observe } from './metrics.ts';

const EVERY_MS = 50;

export function watchEventLoop(): void {
  let expectedAt = performance.now() + EVERY_MS;
  setInterval(() => {
    const now = performance.now();
    observe('holdfast_eventloop_delay_seconds', Math.max(0, now - expectedAt) / 1000, {});
    expectedAt = now + EVERY_MS;
  }, EVERY_MS).unref();
}
