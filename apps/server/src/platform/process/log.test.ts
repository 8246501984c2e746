import { expect, it } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): { err?: unknown } {
  const lines: string[] = [];
  write(createLog('info', 'api', { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] as string);
}

it('writes the text as msg, with its fields and the role', () => {
  const line = logged((log) => log.info({ webhookId: 'evt_1' }, 'webhook parked'));
  expect(line).toMatchObject({ msg: 'webhook parked', webhookId: 'evt_1', role: 'api' });
  expect(line).not.toHaveProperty('event');
});

it('writes the type, code, message and stack of an error, and no other property', () => {
  const error = Object.assign(new TypeError('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(ana@example.com) already exists.',
  });
  const line = logged((log) => log.warn({ err: error }, 'redis error'));
  expect(line.err).toEqual({
    type: 'TypeError',
    code: '23505',
    message: 'duplicate key',
    stack: error.stack,
  });
});

it('censors secret fields wherever they are', () => {
  const line = logged((log) => log.info({ token: 'a', request: { cookie: 'b' } }, 'api started'));
  expect(line).toMatchObject({ token: '•••', request: { cookie: '•••' } });
});
