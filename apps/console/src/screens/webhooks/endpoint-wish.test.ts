import { describe, expect, it } from 'vitest';
import { changeLines, changesOf, missingOf } from '#screens/webhooks/endpoint-wish.ts';

const PRESENT = {
  url: 'https://a.example/hook',
  types: ['order.*', 'user.created'],
  description: null,
} as const;
const SAME = { ...PRESENT, description: '' };

describe('a changed endpoint', () => {
  it('is told only what changes', () => {
    expect(changesOf(PRESENT, SAME)).toEqual({});
    expect(changesOf(PRESENT, { ...SAME, types: ['user.created', 'order.*'] })).toEqual({});
    expect(changesOf(PRESENT, { ...SAME, url: 'https://b.example/' })).toEqual({
      url: 'https://b.example/',
    });
    expect(changesOf(PRESENT, { ...SAME, types: ['*'] })).toEqual({ types: ['*'] });
  });

  it('loses a description that is emptied', () => {
    expect(changesOf({ ...PRESENT, description: 'old' }, SAME)).toEqual({ description: null });
  });

  it('says what the change does', () => {
    expect(changeLines(PRESENT, { url: 'https://b.example/', types: ['*'] })).toEqual([
      'Sends to https://b.example/ instead of https://a.example/hook at once, what waits included.',
      'Sends every event instead of order.*, user.created.',
      'What it has passed by before is not sent later.',
      'Its signing secret stays the same.',
    ]);
  });
});

it('needs an address and something to send', () => {
  expect(missingOf({ ...SAME, url: 'shop' })).toBe('Give an address');
  expect(missingOf({ ...SAME, types: [] })).toBe('Choose what to send');
  expect(missingOf(SAME)).toBeUndefined();
});
