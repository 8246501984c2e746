import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAULT_OPERATIONS, type FaultKind } from '../faults.ts';
import {
  aPayin,
  aPayout,
  expectRefusal,
  KEY,
  openSandbox,
  type Sandbox,
  send,
} from '../testing/payment-sandbox.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await openSandbox();
  await sandbox.control('POST', '/payment', { payoutDelaySeconds: null });
});
afterEach(() => sandbox.stop());

const at = (path: string) => `${sandbox.url}/payment-provider/v2${path}`;

describe('the gate', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it.each([
    ['no header', undefined],
    ['another scheme', 'Bearer abc'],
    ['no secret', basic('key:')],
    ['no key', basic(':secret')],
    ['no colon', basic('key')],
  ])('is closed to %s', async (_, authorization) => {
    for (const [method, path] of [
      ['GET', '/me'],
      ['POST', '/payins'],
      ['GET', '/nowhere'],
    ] as const) {
      const response = await send(
        method,
        at(path),
        undefined,
        authorization === undefined ? {} : { authorization },
      );
      expectRefusal(response, 401, '415904');
    }
  });

  it('limits to ten requests a second and key, only when that is switched on', async () => {
    const eleven = async (key: string) => {
      const headers = { authorization: basic(`${key}:secret`) };
      const all = Array.from({ length: 11 }, () => send('GET', at('/me'), undefined, headers));
      return (await Promise.all(all)).map(({ status }) => status).filter((one) => one === 429);
    };
    expect(await eleven('first')).toHaveLength(0);
    await sandbox.control('POST', '/limits', { payment: true });
    expect(await eleven('second')).toHaveLength(1);
    const other = await send('GET', at('/me'), undefined, { authorization: basic('third:s') });
    expect(other.status).toBe(200);
    await sandbox.control('POST', '/clock/advance', { seconds: 1 });
    expect(await eleven('second')).toHaveLength(1);
    await sandbox.control('POST', '/limits', { payment: false });
    expect(await eleven('second')).toHaveLength(0);
  });
});

describe('the enterprise', () => {
  it('has a profile and a balance', async () => {
    const me = await sandbox.api('GET', '/me');
    expect(me.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cancelPendingPayoutsAfterDays: 90,
      payoutRequireIdVerification: false,
    });
    const balance = await sandbox.api('GET', '/me/balance');
    expect(balance.json).toEqual({ available: 1_000_000, pending: 0 });
  });

  it('gets 404 for an unknown route', async () => {
    expectRefusal(await sandbox.api('PUT', '/payins/1'), 404, '415902');
  });
});

describe('a user', () => {
  const user = (email: string) => sandbox.api('GET', `/users/${encodeURIComponent(email)}`);

  it('exists for any e-mail address, always under the same id', async () => {
    const { json } = await user('Maria.Lopez+1@Example.com');
    expect(json).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      status: 'active',
      primaryEmail: true,
      firstName: 'Maria',
      lastName: 'Lopez',
      country: 'ARG',
      isVerified: true,
    });
    expect((await user('maria.lopez+1@example.com')).json.id).toBe(json.id);
    expect((await user('maria.lopez+2@example.com')).json.id).not.toBe(json.id);
    const payout = await sandbox.api(
      'POST',
      '/payouts',
      aPayout({ airtmUserEmail: 'MARIA.lopez+1@example.com' }),
    );
    expect(payout.json['airtmUserId']).toBe(json.id);
  });

  it('has the status that is in the name before the @, not in the domain', async () => {
    expect((await user('a.inactive@example.com')).json).toMatchObject({ status: 'inactive' });
    expect((await user('a.unverified@example.com')).json).toMatchObject({ isVerified: false });
    const plain = await user('maria@inactive-unverified-unknown.com');
    expect(plain.json).toMatchObject({ status: 'active', isVerified: true });
  });

  it.each([
    ['unknown.person@example.com', 404, '415059'],
    ['missing.person@example.com', 404, '415902'],
    ['unknown', 400, '415906'],
  ])('%s is refused', async (email, status, code) => {
    expectRefusal(await user(email), status, code);
  });
});

interface Operation {
  /** Creates what the operation needs; returns how to perform it and how to count its effects. */
  readonly prepare: () => Promise<{
    perform: () => ReturnType<Sandbox['api']>;
    isDone: () => Promise<boolean>;
  }>;
}

const operations: Readonly<Record<string, Operation>> = {
  'payin.create': {
    prepare: async () => {
      const body = aPayin();
      const path = `/payins/by-code/${String(body['code'])}`;
      return {
        perform: () => sandbox.api('POST', '/payins', body),
        isDone: async () => (await sandbox.api('GET', path)).status === 200,
      };
    },
  },
  'payin.cancel': {
    prepare: async () => {
      const { id } = (await sandbox.api('POST', '/payins', aPayin())).json;
      return {
        perform: () => sandbox.api('DELETE', `/payins/${id}`),
        isDone: async () => (await sandbox.api('GET', `/payins/${id}`)).json.status === 'CANCELED',
      };
    },
  },
  'payout.create': {
    prepare: async () => {
      const body = aPayout();
      const path = `/payouts/by-code/${String(body['code'])}`;
      return {
        perform: () => sandbox.api('POST', '/payouts', body),
        isDone: async () => (await sandbox.api('GET', path)).status === 200,
      };
    },
  },
  'payout.commit': {
    prepare: async () => {
      const { id } = (await sandbox.api('POST', '/payouts', aPayout())).json;
      return {
        perform: () => sandbox.api('POST', `/payouts/${id}/commit`),
        isDone: async () => (await sandbox.api('GET', `/payouts/${id}`)).json.status === 'PENDING',
      };
    },
  },
  'payout.cancel': {
    prepare: async () => {
      const { id } = (await sandbox.api('POST', '/payouts', aPayout())).json;
      return {
        perform: () => sandbox.api('DELETE', `/payouts/${id}`),
        isDone: async () => (await sandbox.api('GET', `/payouts/${id}`)).json.status === 'CANCELED',
      };
    },
  },
};

/** The response that the caller gets, and whether the effect still happened. */
const faults: readonly [kind: FaultKind, seen: unknown, isDone: boolean][] = [
  ['reject', '422 415903', false],
  ['error-before', '500', false],
  ['error-after', '500', true],
  ['drop-before', 'cut', false],
  ['drop-after', 'cut', true],
  ['garbage', '200', true],
];

describe('a fault', () => {
  it('can be armed for every operation that is tested here, and for no other', () => {
    const names = [...Object.keys(operations), 'webhook'];
    expect(FAULT_OPERATIONS['payment']).toEqual(names);
  });

  for (const [operation, { prepare }] of Object.entries(operations)) {
    it.each(faults)(`of kind %s strikes ${operation}: %s, done: %s`, async (kind, seen, isDone) => {
      const step = await prepare();
      await sandbox.control('POST', '/faults', { provider: 'payment', operation, kind });
      const response = await step.perform().then(
        ({ status, json }) => [status, json?.code].filter(Boolean).join(' '),
        () => 'cut',
      );
      expect(response).toBe(seen);
      expect(await step.isDone()).toBe(isDone);
      expect((await sandbox.control('GET', '/faults')).json.faults).toEqual([]);
      // The way out after a lost response: a repeat does it now, or shows that it was done.
      const again = await step.perform();
      expect(again.status < 300).toBe(!isDone);
      expect(await step.isDone()).toBe(true);
    });
  }

  it('that is slow has done its work long before it responds', async () => {
    const step = await operations['payin.create']?.prepare();
    const fault = { provider: 'payment', operation: 'payin.create', kind: 'slow' };
    await sandbox.control('POST', '/faults', fault);
    const body = aPayin();
    const outcome = await fetch(at('/payins'), {
      method: 'POST',
      headers: { authorization: KEY },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(300),
    }).then(
      () => 'responded',
      () => 'waited',
    );
    expect(outcome).toBe('waited');
    const found = await sandbox.api('GET', `/payins/by-code/${String(body['code'])}`);
    expect(found.json.amount).toBe(50.25);
    expect(await step?.isDone()).toBe(false);
  });

  it('is not used up by a request that is refused anyway', async () => {
    const fault = { provider: 'payment', operation: 'payin.create', kind: 'drop-after', times: 2 };
    await sandbox.control('POST', '/faults', fault);
    expect((await sandbox.api('POST', '/payins', aPayin({ amount: 1 }))).status).toBe(422);
    expect((await sandbox.control('GET', '/faults')).json.faults).toEqual([fault]);
  });
});
