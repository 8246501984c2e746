import { expect, it } from 'vitest';
import { clientOf } from './client.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  [`x'); drop table audit; --`, null],
  ['', null],
])('reads the address %s as %s', (ip, address) => {
  expect(clientOf({ ip, headers: {} })).toEqual({ address, userAgent: null });
});

it('cuts a long user agent', () => {
  const headers = { 'user-agent': 'x'.repeat(5000) };
  expect(clientOf({ ip: '::1', headers }).userAgent).toHaveLength(200);
});
