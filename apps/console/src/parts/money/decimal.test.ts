import { expect, it } from 'vitest';
import { decimalText, readDecimal } from './decimal.ts';

it('reads amounts of two and of seven places, exactly', () => {
  expect(readDecimal('100.00')).toBe(1_000_000_000n);
  expect(readDecimal('-0.0000001')).toBe(-1n);
  expect(readDecimal('9007199254740993.01')).toBe(90_071_992_547_409_930_100_000n);
});

it('reads nothing else', () => {
  for (const text of ['', '1,00', '1e3', '+1', '.5', '1.00000000']) {
    expect(readDecimal(text)).toBeUndefined();
  }
});

it('writes two places, and more only where they say something', () => {
  expect(decimalText(1_000_000_000n)).toBe('100.00');
  expect(decimalText(-1n)).toBe('-0.0000001');
  expect(decimalText(15_000_000n)).toBe('1.50');
  expect(decimalText(0n)).toBe('0.00');
});
