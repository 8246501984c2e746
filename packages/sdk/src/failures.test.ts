import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Holdfast, type HoldfastError } from '#index';
import { Members } from '#members';
import { ClientFixture } from './testing/client-fixture.ts';
import { refusal, text } from './testing/stand-in.ts';

const service = new ClientFixture();
afterEach(() => service.stop());

describe('a client without a key', () => {
  beforeEach(() => vi.stubEnv('HOLDFAST_API_KEY', undefined));
  afterEach(() => vi.unstubAllEnvs());

  it.each([undefined, {}, { apiKey: '' }, { apiKey: undefined }])(
    'is refused when it is made: %j',
    (options) => {
      expect(() => new Holdfast(options)).toThrow(
        'No API key: set HOLDFAST_API_KEY, or pass apiKey to new Holdfast()',
      );
    },
  );

  it('is refused when the variable is empty, and accepted when it has a key', () => {
    vi.stubEnv('HOLDFAST_API_KEY', '');
    expect(() => new Holdfast()).toThrow('HOLDFAST_API_KEY');
    vi.stubEnv('HOLDFAST_API_KEY', 'hf_x');
    expect(new Holdfast()).toBeInstanceOf(Holdfast);
  });

  it('is accepted with a session, with its own authorization, and for members', () => {
    expect(new Holdfast({ session: {} })).toBeInstanceOf(Holdfast);
    expect(new Holdfast({ headers: { Authorization: 'Bearer x' } })).toBeInstanceOf(Holdfast);
    expect(new Members()).toBeInstanceOf(Members);
  });
});

describe('the stack of a failure', () => {
  async function ofUser(call: (holdfast: Holdfast) => PromiseLike<unknown>) {
    const holdfast = await service.against([refusal(404, 'ORDER_NOT_FOUND', {})]);
    const error = (await Promise.resolve(call(holdfast)).catch((e: unknown) => e)) as HoldfastError;
    return error.stack ?? '';
  }

  it.each<[string, (holdfast: Holdfast) => PromiseLike<unknown>]>([
    ['a call', (holdfast) => holdfast.orders.get('ord_1')],
    ['a decision', (holdfast) => holdfast.orders.release('ord_1')],
    ['a list', (holdfast) => holdfast.orders.list().toArray()],
    ['a table', (holdfast) => holdfast.statements.userCsv('usr_1')],
  ])('of %s starts in the code that made it', async (_, call) => {
    const stack = await ofUser(call);
    expect(stack).toMatch(/^HoldfastError: (GET|POST) \S+: ORDER_NOT_FOUND!\n {4}at /);
    expect(stack).toContain('failures.test.ts');
    expect(stack).not.toContain('client.ts');
  });
});

describe('the message of a refused input', () => {
  const messageOf = async (details: object) => {
    const holdfast = await service.against([refusal(400, 'VALIDATION_ERROR', details)]);
    const result = await holdfast.orders.get('ord_1').result();
    return result.ok ? '' : result.error.message;
  };

  it('has the message of each field', async () => {
    const validationErrors = ['body/amount must be string', 'body/title is required'];
    expect(await messageOf({ validationErrors })).toBe(
      'GET /orders/ord_1: VALIDATION_ERROR!: body/amount must be string; body/title is required',
    );
    const errors = [
      { field: 'amount', rule: 'format', message: 'must be a decimal' },
      { field: 'title', rule: 'required', message: 'title is required' },
    ];
    expect(await messageOf({ errors, validationErrors })).toBe(
      'GET /orders/ord_1: VALIDATION_ERROR!: amount must be a decimal; title is required',
    );
  });

  it('is that of the service where no field is named', async () => {
    expect(await messageOf({})).toBe('GET /orders/ord_1: VALIDATION_ERROR!');
  });
});

it('says that a response is not from the service', async () => {
  const holdfast = await service.against([text(502, '<html>')], { maxRetries: 0 });
  await expect(holdfast.orders.release('ord_1')).rejects.toThrow(
    'POST /orders/ord_1/resolution/release: unexpected response with status 502; not from Holdfast.',
  );
});
