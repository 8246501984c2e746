import { EVENT_PATTERNS } from '@holdfast/contract/records/webhook-records';
import { EVENT_AGGREGATES } from '@holdfast/sdk';
import { expect, it } from 'vitest';
import { eventPatterns } from '#screens/webhooks/event-patterns.ts';

it('offers exactly what the contract takes', () => {
  expect(eventPatterns(Object.keys(EVENT_AGGREGATES))).toEqual(EVENT_PATTERNS);
});
