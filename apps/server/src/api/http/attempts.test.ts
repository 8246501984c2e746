import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { type Attempts, countAttempt } from './attempts.ts';
import { deviceCookie } from './device-cookie.ts';
import { memoryCounter } from './rate-limit.ts';

const clock = manualClock(Date.now());
const app: Attempts = {
  clock,
  counter: memoryCounter(clock),
  config: {
    HOLDFAST_LOGIN_ATTEMPTS: 10,
    HOLDFAST_RATE_LIMIT: 600,
    HOLDFAST_TOKEN_SECRET: 'a secret of at least thirty-two characters',
    HOLDFAST_PUBLIC_URL: undefined,
    NODE_ENV: 'development',
  },
};

it('has all devices of an account wait as one', async () => {
  const positionOf = (email: string) => {
    const [cookies = ''] = deviceCookie(app, 'login', email).split(';');
    return countAttempt(app, { flow: 'login', email, address: '203.0.113.7', cookies });
  };
  const [phone, laptop] = [await positionOf('ada@x.test'), await positionOf('ada@x.test')];
  expect(phone.line).toBe('known-member');
  expect(laptop).toEqual(phone);
  expect((await positionOf('bob@x.test')).from).not.toBe(phone.from);
});

it('has unknown devices wait by address', async () => {
  const attempt = { flow: 'sign-in', email: 'ada@x.test', address: '203.0.113.7' } as const;
  const position = { line: 'operator', from: 'ip:203.0.113.7' };
  expect(await countAttempt(app, attempt)).toEqual(position);
});
