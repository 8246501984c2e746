import { expect, test } from 'vitest';
import { compareClocks } from './check-clock.ts';

const reading = (of: string, ahead: number) => ({ of, least: ahead, most: ahead });

test('clocks that agree are fine, also when only some could be read', () => {
  expect(compareClocks([reading('the server', 29_000), reading('the database', 0)])).toMatchObject({
    status: 'ok',
  });
  expect(compareClocks([])).toMatchObject({ status: 'skipped' });
});

test('the clock that is alone in being wrong is the one to set', () => {
  const found = compareClocks([reading('the server', -90_000), reading('the database', 100)]);
  expect(found).toMatchObject({
    fault: 'clock-skew',
    message: 'the server is 2 min behind this machine',
    fix: expect.stringContaining('the server'),
  });
});

test('when all others differ, it is this machine', () => {
  const found = compareClocks([reading('the server', 90_000), reading('the database', 90_000)]);
  expect(found).toMatchObject({ fix: expect.stringContaining('this machine') });
});

test('a clock that is read as a range is wrong only if the whole range is', () => {
  expect(compareClocks([{ of: 'it', least: -60_000, most: 0 }])).toMatchObject({ status: 'ok' });
});
