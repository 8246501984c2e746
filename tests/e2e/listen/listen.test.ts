//! The short form of `npm run test:listen`.
import { expect, test } from 'vitest';
import { runListen } from './run-listen.ts';

test('a killed listen loses no event and keeps the order', { timeout: 180_000 }, async () => {
  const verdict = await runListen({ events: 60, kills: 3, seed: 7 });
  expect(verdict).toMatchObject({
    events: 60,
    kills: 3,
    missing: 0,
    outOfOrder: 0,
    unsigned: 0,
  });
});
