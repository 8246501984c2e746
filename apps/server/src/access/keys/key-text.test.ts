import { expect, it } from 'vitest';
import { isKeyText, newKeyText, secretHash } from './key-text.ts';

it('carries its cell and a checksum that detects every single typing error', () => {
  const key = newKeyText('c1');
  expect(key).toMatch(/^hf_c1_[0-9A-Za-z]{49}$/);
  expect(isKeyText(key)).toBe(true);
  for (let at = 6; at < key.length; at += 1) {
    const wrong = key[at] === 'a' ? 'b' : 'a';
    expect(isKeyText(key.slice(0, at) + wrong + key.slice(at + 1)), `at ${at}`).toBe(false);
  }
  expect(isKeyText(key.replace('c1', 'c2'))).toBe(false);
});

it('never repeats, and is stored as a SHA-256', () => {
  const keys = new Set(Array.from({ length: 1000 }, () => newKeyText('c1')));
  expect(keys.size).toBe(1000);
  expect(secretHash('x')).toHaveLength(64);
});
