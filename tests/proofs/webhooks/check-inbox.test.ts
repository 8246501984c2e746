//! Tests the check of an inbox, and the receivers' own check of signatures.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkInbox, type Expected, lagsOf } from './check-inbox.ts';
import { faultOf, type Inbox } from './receivers.ts';

const AT = Date.parse('2026-01-01T00:00:00.000Z');
const expected: Expected = {
  name: 'one',
  marketplaceId: 'mkt_a',
  events: ['a', 'b', 'c'].map((eventId) => ({
    eventId,
    occurredAt: '2026-01-01T00:00:00.000001Z',
  })),
};

function inboxOf(ids: string, marketplaceId = 'mkt_a'): Inbox {
  const arrivals = ids
    .split('')
    .map((eventId, at) => ({ eventId, marketplaceId, at: AT + at + 1 }));
  const faults = { refused: 0, reset: 0, 'late refusal': 0, hung: 0, 'late response': 0 };
  return { arrivals, firsts: new Set(ids.split('')), wrong: [], faults, secret: '' };
}

describe('checkInbox', () => {
  it.each(['abc', 'aabbcc', 'ababc', 'abcabc'])('accepts %s', (ids) => {
    expect(checkInbox(expected, inboxOf(ids))).toEqual([]);
  });

  it.each([
    ['ab', 'one: 1 of 3 never came'],
    ['acb', 'one: out of order from arrival 2 on'],
    ['abcd', 'one: 1 events are not in its log'],
    ['', 'one: 3 of 3 never came'],
  ])('finds the fault in %j', (ids, fault) => {
    expect(checkInbox(expected, inboxOf(ids))).toEqual([fault]);
  });

  it('finds events of another marketplace and invalid signatures', () => {
    const inbox = inboxOf('abc', 'mkt_b');
    inbox.wrong.push('a: the signature is wrong');
    expect(checkInbox(expected, inbox)).toEqual([
      'one: a: the signature is wrong',
      'one: 3 events of another marketplace',
    ]);
  });

  it('measures the lag of first arrivals', () => {
    expect(lagsOf(expected, inboxOf('aabc'))).toEqual([1, 3, 4]);
  });
});

describe('a receiver', () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const body = Buffer.from('{}');
  const now = String(Math.floor(Date.now() / 1000));
  const macOf = (id: string, time: string) =>
    `v1,${createHmac('sha256', Buffer.alloc(32, 1)).update(`${id}.${time}.{}`).digest('base64')}`;
  const headersOf = (id: string, time: string, signature: string) => ({
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signature,
  });

  it('accepts a valid signature, also among several', () => {
    for (const signature of [macOf('a', now), `v1,AAAA ${macOf('a', now)}`])
      expect(faultOf(secret, headersOf('a', now, signature), body, 'a')).toBeUndefined();
  });

  it.each([
    [headersOf('a', now, macOf('b', now)), 'the signature is wrong'],
    [headersOf('b', now, macOf('b', now)), 'the id is not that of the event'],
    [headersOf('a', '1', macOf('a', '1')), 'the time is wrong'],
  ])('refuses %j because %s', (headers, fault) => {
    expect(faultOf(secret, headers, body, 'a')).toBe(fault);
  });
});
