//! The hint holds for the idle time, begins anew with every answer, and ends with the session.
import { expect, it } from 'vitest';
import { SessionHint } from '#app/session-hint.ts';

const IDLE_SECONDS = 1800;
const IDLE_MS = IDLE_SECONDS * 1000;

function fresh() {
  const kept = new Map<string, string>();
  const clock = { nowMs: 1_000_000 };
  const store = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  const hint = new SessionHint(
    () => store,
    () => clock.nowMs,
  );
  return { hint, clock };
}

it('says no before anybody has signed in', () => {
  const { hint } = fresh();
  hint.prolong();
  expect(hint.isLikely()).toBe(false);
});

it('holds for the idle time', () => {
  const { hint, clock } = fresh();
  hint.begin(IDLE_SECONDS);
  clock.nowMs += IDLE_MS - 1;
  expect(hint.isLikely()).toBe(true);
  clock.nowMs += 1;
  expect(hint.isLikely()).toBe(false);
});

it('begins anew when the service has answered', () => {
  const { hint, clock } = fresh();
  hint.begin(IDLE_SECONDS);
  clock.nowMs += IDLE_MS / 2;
  hint.prolong();
  clock.nowMs += IDLE_MS - 1;
  expect(hint.isLikely()).toBe(true);
});

it('ends when somebody signs out, whatever answers come afterwards', () => {
  const { hint } = fresh();
  hint.begin(IDLE_SECONDS);
  hint.end();
  hint.prolong();
  expect(hint.isLikely()).toBe(false);
});
