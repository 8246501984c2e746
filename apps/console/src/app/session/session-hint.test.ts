//! Checks that the hint holds for the idle time, restarts with every response, and ends with the
//! session.
import { expect, it } from 'vitest';
import { SessionHint } from '#app/session/session-hint.ts';

const IDLE_SECONDS = 1800;
const IDLE_MS = IDLE_SECONDS * 1000;

function fresh() {
  const stored = new Map<string, string>();
  const clock = { nowMs: 1_000_000 };
  const store = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  const hint = new SessionHint(
    () => store,
    () => clock.nowMs,
  );
  return { hint, clock };
}

it('says no before an operator has signed in', () => {
  const { hint } = fresh();
  hint.prolong();
  expect(hint.isLikely()).toBe(false);
});

it('holds for the idle time', () => {
  const { hint, clock } = fresh();
  hint.start(IDLE_SECONDS);
  clock.nowMs += IDLE_MS - 1;
  expect(hint.isLikely()).toBe(true);
  clock.nowMs += 1;
  expect(hint.isLikely()).toBe(false);
});

it('restarts when the service has responded', () => {
  const { hint, clock } = fresh();
  hint.start(IDLE_SECONDS);
  clock.nowMs += IDLE_MS / 2;
  hint.prolong();
  clock.nowMs += IDLE_MS - 1;
  expect(hint.isLikely()).toBe(true);
});

it('ends at sign-out, regardless of responses that come afterwards', () => {
  const { hint } = fresh();
  hint.start(IDLE_SECONDS);
  hint.end();
  hint.prolong();
  expect(hint.isLikely()).toBe(false);
});
