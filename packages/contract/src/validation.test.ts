import { expect, it } from 'vitest';
import type { Endpoint } from '#endpoint';
import { surfaceA } from '#surface-a';
import { surfaceB } from '#surface-b';
import { formOf, invalidRequest, refuseField } from '#validation';

/** Every pattern in what requests bring, wherever it stands. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern } = schema as { pattern?: unknown };
  const here = typeof pattern === 'string' ? [pattern] : [];
  return [...here, ...Object.values(schema).flatMap(patternsIn)];
}

const endpoints = Object.values<Endpoint>({ ...surfaceA, ...surfaceB });
const patterns = new Set(
  endpoints.flatMap(({ params, query, headers, body }) =>
    patternsIn([params, query, headers, body]),
  ),
);

it('has words for the form of every field of a request', () => {
  expect(patterns.size).toBeGreaterThan(20);
  expect([...patterns].filter((pattern) => formOf(pattern) === undefined)).toEqual([]);
  for (const pattern of patterns) expect(formOf(pattern)).toMatch(/^(an? |text |six )[^^\\[]+$/);
});

it('names an id by its prefix, and nothing by an unknown pattern', () => {
  expect(formOf('^ord_[0-9a-z]{20,32}$')).toBe('an id that starts with ord_');
  expect(formOf('^x+$')).toBeUndefined();
});

it('derives validationErrors from the errors', () => {
  const one = { field: 'amount', rule: 'required', message: 'amount is required' } as const;
  const other = { field: 'note', rule: 'unknown', message: 'note is not a known field' } as const;
  const { code, details } = invalidRequest([one, other]);
  expect(code).toBe('VALIDATION_ERROR');
  expect(details).toEqual({
    errors: [one, other],
    validationErrors: ['amount is required', 'note is not a known field'],
  });
});

it('refuses one field', () => {
  expect(() => refuseField('from', 'range', 'from must not be later than to')).toThrow(
    expect.objectContaining({
      details: {
        errors: [{ field: 'from', rule: 'range', message: 'from must not be later than to' }],
        validationErrors: ['from must not be later than to'],
      },
    }),
  );
});
