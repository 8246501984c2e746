//! Checks which values each building block accepts and refuses.
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import {
  amount,
  amountInput,
  closed,
  currency,
  email,
  id,
  instant,
  instantInput,
  listQuery,
  metadata,
  networkAmount,
  nullable,
  oneOf,
  optionalBody,
  pageLimit,
  rate,
  signedAmount,
  text,
  webUrl,
} from '#fields';

const cases: [string, TSchema, unknown[], unknown[]][] = [
  [
    'id',
    id('ord'),
    ['ord_00000000000000000000000000'],
    ['usr_00000000000000000000000000', 'ord_1', '', 7],
  ],
  ['amount', amount(), ['0.00', '100.00'], ['1', '1.0', '-1.00', '1.000', 1, '1.00\n']],
  ['signedAmount', signedAmount(), ['0.00', '-0.05'], ['--1.00', '-1']],
  ['networkAmount', networkAmount(), ['1', '0.0000001', '-1.5'], ['1.00000001', '.5', '']],
  ['amountInput', amountInput(), ['', 'abc', '-1.00', '1.00\u0000'], [1, null, '1'.repeat(41)]],
  ['rate', rate(), ['5.00', '12.34'], ['5', '5.0', '100.00']],
  ['currency', currency(), ['USD', 'USDC', 'XLM'], ['EUR', 'usd', '', null]],
  ['instant', instant(), ['2026-03-01T12:00:00.000Z'], ['yesterday', '2026-03-01', 1]],
  [
    'instantInput',
    instantInput(),
    ['2026-03-01', '2026-03-01T12:00Z', '2026-03-01T12:00:00.5+01:00'],
    ['yesterday', '1', '2026-03-01T12:00', ''],
  ],
  ['text', text(3), ['a', 'abc'], ['', 'abcd', 'a\u0000', 1]],
  [
    'email',
    email(),
    ['a@b.test'],
    ['unknown', 'a@b', 'a b@c.de', '@b.test', `${'a'.repeat(250)}@b.de`],
  ],
  [
    'webUrl',
    webUrl(),
    ['https://a.test/x?y=z'],
    ['ftp://a.test', 'javascript:alert(1)', 'https://a b', ''],
  ],
  ['pageLimit', pageLimit(), ['1', '20', '100'], ['0', '101', '-1', 'x', '1.5', '007', '']],
  ['metadata', metadata(), [{}, { deep: { x: [1] } }], [[], null, 'x', 1]],
  [
    'optionalBody',
    optionalBody({ reason: text(3) }),
    [null, { reason: 'x' }],
    [{}, { more: 1 }, 'x', []],
  ],
  ['closed', closed({ a: Type.Optional(text(3)) }), [{}, { a: 'x' }], [{ b: 1 }, null]],
];

describe.each(cases)('%s', (_, schema, good, bad) => {
  const check = Compile(schema);
  it.each(good.map((value) => [value]))('takes %j', (value) =>
    expect(check.Check(value)).toBe(true),
  );
  it.each(bad.map((value) => [value]))('refuses %j', (value) =>
    expect(check.Check(value)).toBe(false),
  );
});

describe('nullable', () => {
  it.each([
    ['a text', text(3), 'abc', 'abcd'],
    ['a choice', oneOf(['A', 'B']), 'A', 'C'],
    ['an object', closed({ a: text(3) }), { a: 'x' }, { b: 'x' }],
    ['a list', Type.Array(Type.String()), ['x'], [1]],
  ] as const)('takes null and %s, and nothing else', (_, schema, good, bad) => {
    const check = Compile(nullable(schema));
    expect([check.Check(null), check.Check(good), check.Check(bad)]).toEqual([true, true, false]);
  });

  it('is one schema and no union, so that a fault gives one message', () => {
    for (const schema of [text(3), oneOf(['A']), closed({})]) {
      expect(Object.keys(nullable(schema))).not.toContain('anyOf');
    }
  });
});

it('gives one message for one wrong choice', () => {
  expect(Compile(currency()).Errors('EUR')).toHaveLength(1);
});

it('pages a list by the ids of its own kind', () => {
  const query = Compile(listQuery('ord', { status: Type.Optional(oneOf(['CLOSED'])) }));
  expect(query.Check({ limit: '20', cursor: 'ord_00000000000000000000000000' })).toBe(true);
  expect(query.Check({ cursor: 'usr_00000000000000000000000000' })).toBe(false);
  expect(query.Check({ status: 'NOPE' })).toBe(false);
  expect(query.Check({ buyerId: 'x' })).toBe(false);
});
