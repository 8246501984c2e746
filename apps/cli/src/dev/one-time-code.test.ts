import { expect, test } from 'vitest';
import { oneTimeCode } from './one-time-code.ts';

/** The secret and the times of RFC 6238, appendix B; the last six of its eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 1],
  [1_111_111_111, '050471', 29],
  [1_234_567_890, '005924', 30],
  [2_000_000_000, '279037', 10],
])('the code at second %d is %s, valid for %d s', (second, code, validSeconds) => {
  expect(oneTimeCode(SECRET, second * 1000)).toEqual({ code, validSeconds });
});
