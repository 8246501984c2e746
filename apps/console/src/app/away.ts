//! Whoever goes away is signed out: a screen asks for news by itself, which to the service looks
//! like somebody at work. All tabs of a browser count together.
import { machineNow } from '#app/now.ts';

const TOUCHED = 'holdfast.touched';
const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const;
/** Also how often a touch is written down, at most. */
const LOOK_EVERY_MS = 15_000;

/** Calls `leave` once nobody has touched any tab for so long; gives the way to stop. */
export function watchAway(idleSeconds: number, leave: () => void): () => void {
  let notedMs = 0;
  const touch = () => {
    const nowMs = machineNow();
    // Also when the clock was set back.
    if (Math.abs(nowMs - notedMs) < LOOK_EVERY_MS) return;
    notedMs = nowMs;
    localStorage.setItem(TOUCHED, new Date(notedMs).toISOString());
  };
  const look = () => {
    if (isAway(localStorage.getItem(TOUCHED), machineNow(), idleSeconds)) leave();
  };
  touch();
  for (const sign of SIGNS) window.addEventListener(sign, touch, { passive: true });
  const looking = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(looking);
    for (const sign of SIGNS) window.removeEventListener(sign, touch);
  };
}

/** What is no moment is no reason to sign anybody out. */
export function isAway(touched: string | null, nowMs: number, idleSeconds: number): boolean {
  return nowMs - Date.parse(touched ?? '') >= idleSeconds * 1000;
}
