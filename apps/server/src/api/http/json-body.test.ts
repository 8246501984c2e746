import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { readJson } from './json-body.ts';

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('reading a body', () => {
  it.each([
    ['{"a":1,"b":{"c":[1,2,{"d":":\\"}"}]}}', { a: 1, b: { c: [1, 2, { d: ':"}' }] } }],
    ['{"a:b":"c:d"}', { 'a:b': 'c:d' }],
    ['[]', []],
    ['null', null],
    ['"é😀"', 'é😀'],
  ])('takes %s', (text, value) => expect(readJson(text)).toEqual(value));

  it('takes an empty text as no body', () => expect(readJson('')).toBeUndefined());

  it.each([
    ['half of one', '{"a":'],
    ['a key twice', '{"a":1,"a":2}'],
    ['a key twice, one escaped', '{"a":1,"\\u0061":2}'],
    ['a poisoned prototype', '{"__proto__":{"x":1}}'],
    ['a poisoned constructor', '{"a":{"constructor":{"prototype":1}}}'],
    ['too deep a nest', deep(9)],
    ['too many keys', `{${Array.from({ length: 501 }, (_, at) => `"k${at}":1`).join()}}`],
    ['too long a text', `"${'x'.repeat(2001)}"`],
    ['half a character', '"\\ud800"'],
  ])('refuses %s', (_, text) =>
    expect(() => readJson(text)).toThrow(expect.toSatisfy(isRefusal('VALIDATION_ERROR'))),
  );

  it('takes a body just within the bounds', () => {
    expect(readJson(deep(8))).toBeDefined();
    expect(readJson(`"${'x'.repeat(2000)}"`)).toHaveLength(2000);
  });

  it('leaves the prototype of all objects unchanged', () => {
    expect(() => readJson('{"__proto__":{"polluted":true}}')).toThrow();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
