import { randomUUID } from 'node:crypto';
import type { FieldError } from '@holdfast/contract/validation';
import { describe, expect, it } from 'vitest';
import { useMarket } from '../../testing/use-world.ts';
import { fieldErrors } from './field-errors.ts';

const { market } = useMarket();

const ORDER = {
  buyerId: 'usr_00k7qv3zsx5fj2m8r4tw9c6hbd',
  sellerId: 'usr_00k7qv41gm9dk3n7s5vx8e2jcf',
  amount: '100.00',
  title: 'A table',
};

async function errorsOf(path: string, body: object): Promise<FieldError[]> {
  const { status, json } = await market.send('POST', path, { body: JSON.stringify(body) });
  expect([status, json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  const { errors, validationErrors } = json.error.details;
  expect(validationErrors).toEqual(errors.map(({ message }: FieldError) => message));
  return errors;
}

describe('validating a request', () => {
  it.each<[string, object, FieldError]>([
    [
      'an unknown field',
      { ...ORDER, noSuchProperty: 1 },
      {
        field: 'noSuchProperty',
        rule: 'unknown',
        message: 'noSuchProperty is not a known field',
      },
    ],
    [
      'a wrong id',
      { ...ORDER, buyerId: 'ada' },
      { field: 'buyerId', rule: 'format', message: 'buyerId must be an id that starts with usr_' },
    ],
    [
      'a wrong type',
      { ...ORDER, title: 7 },
      { field: 'title', rule: 'type', message: 'title must be a string' },
    ],
    [
      'a wrong choice',
      { ...ORDER, currency: 'EUR' },
      { field: 'currency', rule: 'enum', message: 'currency must be one of USD, USDC, XLM' },
    ],
    [
      'an empty text',
      { ...ORDER, clientOrderRef: '' },
      {
        field: 'clientOrderRef',
        rule: 'length',
        message: 'clientOrderRef must have at least 1 character',
      },
    ],
    [
      'a field of a list that is missing',
      { ...ORDER, milestones: [{ ref: 'm1', title: 'Design' }] },
      {
        field: 'milestones.0.amount',
        rule: 'required',
        message: 'milestones.0.amount is required',
      },
    ],
    [
      'an amount that is none',
      { ...ORDER, amount: '1,5' },
      {
        field: 'amount',
        rule: 'format',
        message: 'amount must be a positive decimal string with at most two places',
      },
    ],
  ])('names the field, the rule and the expectation for %s', async (_, body, expected) => {
    expect(await errorsOf('/orders', body)).toEqual([expected]);
  });

  it('returns an error for each fault', async () => {
    const { title: _, ...rest } = ORDER;
    const found = await errorsOf('/orders', { ...rest, buyerId: 'x', extra: 1 });
    expect(found.map(({ field, rule }) => `${field} ${rule}`).sort()).toEqual([
      'buyerId format',
      'extra unknown',
      'title required',
    ]);
  });

  it('names the body when the whole body is invalid', async () => {
    const { json } = await market.send('POST', '/orders', { body: '{"amount":' });
    expect(json.error.details).toEqual({
      errors: [{ field: 'body', rule: 'malformed', message: 'body must be valid JSON' }],
      validationErrors: ['body must be valid JSON'],
    });
  });

  it('names the parameter when the query is invalid', async () => {
    const { json } = await market.send('GET', '/orders?limit=1000');
    expect(json.error.details.errors).toEqual([
      { field: 'limit', rule: 'format', message: 'limit must be a whole number from 1 to 100' },
    ]);
  });
});

describe('the message for a finding', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['type', { type: 'string,null' }, 'a.b must be a string or null'],
    ['type', { type: ['integer', 'null'] }, 'a.b must be a whole number or null'],
    ['maxLength', { limit: 40 }, 'a.b must have at most 40 characters'],
    ['maxItems', { limit: 1 }, 'a.b must have at most 1 item'],
    ['maxProperties', { limit: 50 }, 'a.b must have at most 50 fields'],
    ['minimum', { limit: 1 }, 'a.b must be at least 1'],
    ['maximum', { limit: 9 }, 'a.b must be at most 9'],
    ['uniqueItems', { i: 0, j: 1 }, 'a.b must not contain the same item twice'],
    ['pattern', { pattern: '^x+$' }, 'a.b has an invalid format'],
    ['other', {}, 'a.b must be something else'],
  ])('of %s, %j, is "%s"', (keyword, params, message) => {
    const finding = { keyword, params, instancePath: '/a/b', message: 'must be something else' };
    expect(fieldErrors('body', [finding])[0]?.message).toBe(message);
  });

  it('cuts the name of a field that a caller chose', () => {
    const params = { additionalProperty: 'x'.repeat(500) };
    const [error] = fieldErrors('querystring', [
      { keyword: 'additionalProperties', params, instancePath: '' },
    ]);
    expect(error?.field).toBe('x'.repeat(100));
  });
});

describe('the header Link', () => {
  it('names the page of the error', async () => {
    const { headers, json } = await market.send('GET', '/orders/ord_00k7qv3zsx5fj2m8r4tw9c6hbd');
    expect(json.error.code).toBe('ORDER_NOT_FOUND');
    expect(headers['link']).toBe('</docs/reference/errors/order_not_found/>; rel="help"');
  });

  it('is on a replay too, whose body is the same to the byte', async () => {
    const userId = await market.user();
    const body = JSON.stringify({ amount: '5.00' });
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => market.send('POST', `/users/${userId}/balance/reserve`, { body, headers });
    const [first, again] = [await send(), await send()];
    expect(first.json.error.code).toBe('INSUFFICIENT_FUNDS');
    expect(again.headers['idempotency-replay']).toBe('true');
    expect(again.json).toEqual(first.json);
    const link = '</docs/reference/errors/insufficient_funds/>; rel="help"';
    expect([first.headers['link'], again.headers['link']]).toEqual([link, link]);
  });

  it('is not on a response that is no error', async () => {
    expect((await market.send('GET', '/orders')).headers['link']).toBeUndefined();
  });
});
