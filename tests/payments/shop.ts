//! A marketplace and its people, over HTTP, and the hand that steers the world outside.
import { randomUUID } from 'node:crypto';
import type { Readiness } from '../../apps/cli/src/local-set.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly data: Fields;
  readonly error: Fields;
}

export interface Shop {
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>;
  control(path: string, body: object): Promise<void>;
  /** A user with a payment account, and so much to begin with. */
  person(credit?: string): Promise<{ readonly id: string; readonly email: string }>;
}

export async function openShop({ api, apiKey, sandbox }: Readiness): Promise<Shop> {
  // What a test does not end stays as it is.
  const ask: Shop['ask'] = async (method, path, body) => {
    const answer = await fetch(`${api}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as { data?: { data?: Fields }; error?: Fields };
    return { status: answer.status, data: json.data?.data ?? {}, error: json.error ?? {} };
  };
  const shop: Shop = {
    ask,
    control: async (path, body) => {
      const answer = await fetch(`${sandbox}/control${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    },
    person: async (credit) => {
      const email = `${randomUUID()}@example.test`;
      const { data } = await must(ask('POST', '/users', { externalUserId: email, email }));
      const id = String(data['id']);
      await must(ask('POST', `/users/${id}/payment-account/link`, {}));
      if (credit !== undefined)
        await must(ask('POST', `/users/${id}/balance/credit`, { amount: credit }));
      return { id, email };
    },
  };
  await shop.control('/payment', { payoutDelaySeconds: null, payinDelaySeconds: 0 });
  return shop;
}

export async function must(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.error)}`);
  return answer;
}
