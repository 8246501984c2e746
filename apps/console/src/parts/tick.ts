//! Text that changes as time passes, updated by one timer for the whole page.
import { useSyncExternalStore } from 'react';
import { clockNow } from '#app/now.ts';

const EVERY_MS = 15_000;

const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function onTick(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    for (const one of listeners) one();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/**
 * A text that depends on the service's time. The component is drawn again when the text changes.
 */
export function useTimely<Word extends string>(wordAt: (nowMs: number) => Word): Word {
  return useSyncExternalStore(onTick, () => wordAt(clockNow()));
}
