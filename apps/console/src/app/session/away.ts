//! Signs out an operator who has left: a screen refreshes by itself, which the service would count
//! as activity. All tabs of a browser count together.
import { machineNow } from '#app/now.ts';

const TOUCHED = 'holdfast.touched';
const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const;
/** Also how often a touch is written down, at most. */
const CHECK_INTERVAL_MS = 15_000;

/** Calls `leave` once no tab was touched for so long; returns the function that stops it. */
export function watchAway(idleSeconds: number, leave: () => void): () => void {
  let writtenMs = 0;
  const touch = () => {
    const nowMs = machineNow();
    // Also when the clock was set back.
    if (Math.abs(nowMs - writtenMs) < CHECK_INTERVAL_MS) return;
    writtenMs = nowMs;
    localStorage.setItem(TOUCHED, new Date(writtenMs).toISOString());
  };
  const check = () => {
    if (isAway(localStorage.getItem(TOUCHED), machineNow(), idleSeconds)) leave();
  };
  touch();
  for (const sign of SIGNS) window.addEventListener(sign, touch, { passive: true });
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    for (const sign of SIGNS) window.removeEventListener(sign, touch);
  };
}

/** An unreadable time is no reason to sign an operator out. */
export function isAway(touched: string | null, nowMs: number, idleSeconds: number): boolean {
  return nowMs - Date.parse(touched ?? '') >= idleSeconds * 1000;
}
