import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { RefusalAlarm } from './refusal-alarm.ts';

function openAlarm() {
  let now = 1_000_000;
  const lines: unknown[] = [];
  const log = createLog('warn', 'api', { write: (line) => void lines.push(JSON.parse(line)) });
  const alarm = new RefusalAlarm({ clock: { now: () => now }, log });
  const refuse = (
    refusalCode: string,
    ip = '192.0.2.1',
    headers: object = {},
    actor?: { id: string },
  ) =>
    alarm.record({
      ...{ id: 'r', refusalCode, ip, headers, routeOptions: { url: '/users' }, actor },
    } as unknown as FastifyRequest);
  const wait = (ms: number) => {
    now += ms;
  };
  return { lines, refuse, wait };
}

it('warns at once of the first refusal, and counts the rest of its minute', () => {
  const { lines, refuse, wait } = openAlarm();
  for (let count = 0; count < 5; count += 1) refuse('WEBHOOK_SIGNATURE_INVALID');
  refuse('WEBHOOK_SIGNATURE_INVALID', '192.0.2.2');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    msg: 'suspicious request refused',
    code: 'WEBHOOK_SIGNATURE_INVALID',
    address: '192.0.2.1',
  });
  wait(60_000);
  refuse('IDEMPOTENCY_KEY_REUSED');
  expect(lines.slice(2)).toMatchObject([
    { msg: 'suspicious requests refused', code: 'WEBHOOK_SIGNATURE_INVALID', count: 5 },
    { msg: 'suspicious request refused', code: 'IDEMPOTENCY_KEY_REUSED' },
  ]);
});

it('is silent about mistakes, and about a browser without a session', () => {
  const { lines, refuse } = openAlarm();
  refuse('VALIDATION_ERROR');
  refuse('UNAUTHORIZED');
  expect(lines).toEqual([]);
  refuse('UNAUTHORIZED', '192.0.2.1', { authorization: 'Bearer wrong' });
  expect(lines).toHaveLength(1);
});

it('writes a bounded number of lines for any number of addresses', () => {
  const { lines, refuse, wait } = openAlarm();
  for (let at = 0; at < 3000; at += 1) refuse('RATE_LIMITED', `10.0.${at >> 8}.${at & 255}`);
  expect(lines).toHaveLength(1000);
  refuse('SECOND_APPROVER_REQUIRED', '192.0.2.1', {}, { id: 'opr_1' });
  expect(lines.pop(), 'an operator has room of their own').toMatchObject({ actor: 'opr_1' });
  wait(60_000);
  refuse('RATE_LIMITED');
  expect(lines[1000]).toMatchObject({ msg: 'suspicious requests refused', count: 2000 });
});
