import { expect, test } from 'vitest';
import { judgeClocks } from './check-clock.ts';

const reading = (of: string, ahead: number) => ({ of, least: ahead, most: ahead });

test('clocks that agree are fine, also when only some could be read', () => {
  expect(judgeClocks([reading('the server', 29_000), reading('the database', 0)])).toMatchObject({
    status: 'ok',
  });
  expect(judgeClocks([])).toMatchObject({ status: 'skipped' });
});

test('the clock that is alone in being wrong is the one to set', () => {
  const found = judgeClocks([reading('the server', -90_000), reading('the database', 100)]);
  expect(found).toMatchObject({
    fault: 'clock-skew',
    says: 'the server is 2 min behind this machine',
    cure: expect.stringContaining('the server'),
  });
});

test('when all others differ, it is this machine', () => {
  const found = judgeClocks([reading('the server', 90_000), reading('the database', 90_000)]);
  expect(found).toMatchObject({ cure: expect.stringContaining('this machine') });
});

test('a clock that is read coarsely is only wrong when all of its range is', () => {
  expect(judgeClocks([{ of: 'it', least: -60_000, most: 0 }])).toMatchObject({ status: 'ok' });
});
