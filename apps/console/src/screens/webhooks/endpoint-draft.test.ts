import { describe, expect, it } from 'vitest';
import { changeLines, changesOf, missingOf } from '#screens/webhooks/endpoint-draft.ts';

const PRESENT = {
  url: 'https://a.example/hook',
  types: ['order.*', 'user.created'],
  description: null,
} as const;
const SAME = { ...PRESENT, description: '' };

describe('a changed endpoint', () => {
  it('sends only what changes', () => {
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
      'Sends all events, including pending ones, to https://b.example/ instead of https://a.example/hook.',
      'Sends all events instead of order.*, user.created.',
      'Earlier events of newly selected types are not sent.',
      'The signing secret does not change.',
    ]);
  });
});

it('needs an address and something to send', () => {
  expect(missingOf({ ...SAME, url: 'shop' })).toBe('Enter a URL');
  expect(missingOf({ ...SAME, types: [] })).toBe('Choose an event type');
  expect(missingOf(SAME)).toBeUndefined();
});
