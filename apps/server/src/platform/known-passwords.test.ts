import { expect, it } from 'vitest';
import { isKnownPassword } from './known-passwords.ts';

it('knows more than ten thousand that are long enough, in every spelling', () => {
  const words = ['password', 'Welcome', 'qwertyuiop', 'iloveyou', 'Football', 'superman', 'dragon'];
  const years = Array.from({ length: 80 }, (_, at) => String(1950 + at));
  const ends = [...years, '1', '12', '123', '1234', '12345', '123456', '007', '11', '99', '2468'];
  const signs = ['', '!', '!!', '!!!', '.', '#', '?', '$', '@', '*', '-', '_', '!@#', '123!'];
  const candidates = words.flatMap((word) =>
    ends.flatMap((end) =>
      signs.flatMap((sign) => [
        `${word}${end}${sign}`,
        `${sign}${end}${word}`,
        `${word}${sign}${end}`,
      ]),
    ),
  );
  const long = [...new Set(candidates)].filter(({ length }) => length >= 12);
  expect(long.length).toBeGreaterThan(10_000);
  expect(long.filter((each) => !isKnownPassword(each))).toEqual([]);
});

it.each([
  'P@ssw0rd1234!',
  'passwordpassword',
  'monkey-monkey-1',
  'aaaaaaaaaaaa',
  '123456789012',
  '1q2w3e4r5t6y',
  'abcdefghijkl',
  'zyxwvutsrqpo',
  'Adm1n1strat0r',
  '19841984!!!!',
])('knows %s', (password) => {
  expect(isKnownPassword(password)).toBe(true);
});

it.each([
  'correct horse battery',
  'kPz7-vRt2-mQx9',
  'my dog eats 3 socks',
  'passwordless future is near',
  'dragon eats monkey',
  'Zw3ierlei Quatsch',
])('does not know %s', (password) => {
  expect(isKnownPassword(password)).toBe(false);
});
