import { randomUUID } from 'node:crypto';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { encodeStrKey } from '../../providers/network/strkey.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { auditedBy, eventsOf, oneCall, snapshotDatabase } from '../../testing/orders.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import {
  createdBy,
  entriesOf,
  externalAccount,
  holdsOf,
  inputOf,
  payeeWith,
  payoutEffects,
  unknownAddress,
  usePayoutWorld,
} from '../../testing/withdrawals.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { pausePayouts, resumePayouts } from './payouts-pause.ts';
import type { WithdrawalInput } from './withdrawal-input.ts';

const { world, market } = usePayoutWorld();
const other = useOpened(() => world.market());
const payee = useOpened(() => payeeWith(world, market, { funds: '100000.00' }));

const create = (input: WithdrawalInput, call = market.call) =>
  createWithdrawal(world.app, call, input);

describe('a new withdrawal', () => {
  it('holds its money and sends nothing', async () => {
    const one = await payeeWith(world, market);
    const call = oneCall(market);
    const created = await create(inputOf(one), call);
    expect(created).toMatchObject({ status: 'WITHDRAWAL_CREATED', providerPayoutId: null });
    expect(await holdsOf(world, market, one)).toBe('30.00 20.00');
    expect(await entriesOf(world, created.id)).toEqual(['withdrawal_hold 20.00']);
    expect(await payoutEffects(world, created.id)).toEqual([]);
    const about = { userId: one.userId, amount: '20.00', currency: 'USD' };
    expect(await eventsOf(world, call)).toMatchObject([
      { type: 'balance.reserved', payload: { ...about, orderId: created.id } },
      {
        type: 'withdrawal.created',
        payload: { ...about, destinationType: 'payment_account', destinationRef: one.email },
      },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'WITHDRAWAL_CREATED', resource: created.id },
    ]);
  });

  it('reserves its money for itself alone', async () => {
    const one = await payeeWith(world, market);
    const id = await createdBy(world, market, one);
    const send = (path: string, body: object) =>
      market.send('POST', `/users/${one.userId}/balance/${path}`, { body });
    const amount = '1.00';
    const responses = [
      await send('release', { amount }),
      await send('release', { amount, orderId: id }),
      await send('deduct-reserved', { amount }),
      await send('cancel-reservation', { orderId: newId('ord', Date.now()) }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 404]);
    expect(responses[0]?.json.error.details.reason).toContain(id);
    expect(await holdsOf(world, market, one)).toBe('30.00 20.00');
  });

  it('is created once for its Idempotency-Key, and refused once', async () => {
    const one = await payeeWith(world, market);
    const headers = { 'idempotency-key': randomUUID() };
    const body = inputOf(one);
    const first = await market.send('POST', '/withdrawals', { body, headers });
    const again = await market.send('POST', '/withdrawals', { body, headers });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json.data.data).toEqual(first.json.data.data);
    const poor = { ...body, amount: '31.00' };
    const other = { 'idempotency-key': randomUUID() };
    const sendPoor = () => market.send('POST', '/withdrawals', { body: poor, headers: other });
    expect((await sendPoor()).json.error.code).toBe('INSUFFICIENT_FUNDS');
    await market.send('POST', `/users/${one.userId}/balance/credit`, { body: { amount: '50.00' } });
    expect((await sendPoor()).json.error.code).toBe('INSUFFICIENT_FUNDS');
    expect(await holdsOf(world, market, one)).toBe('80.00 20.00');
  });

  it('is created twice for five requests at once with money for two', async () => {
    const one = await payeeWith(world, market);
    const body = inputOf(one);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => market.send('POST', '/withdrawals', { body })),
    );
    const statuses = responses.map(({ status }) => status).sort((one, two) => one - two);
    expect(statuses).toEqual([201, 201, 422, 422, 422]);
    expect(await holdsOf(world, market, one)).toBe('10.00 40.00');
  });
});

const to = (type: WithdrawalInput['destination']['type'], ref: string, memo?: string) => ({
  destination: { type, ref, ...(memo === undefined ? {} : { memo }) },
});

interface Case {
  readonly name: string;
  readonly changes: () => Partial<WithdrawalInput> | Promise<Partial<WithdrawalInput>>;
  readonly code: string;
  readonly reason?: RegExp;
}

const houseAddress = async (kind: string) => {
  const [row] = await world.rows<{ address: string }>(
    'select address from house_wallet where kind = $1',
    [kind],
  );
  return row?.address ?? '';
};
const walletOf = async (userId: UserId) => {
  await world.runWorker();
  return addressOf(world, userId);
};
const house = (kind: string) => async () => to('crypto', await houseAddress(kind));
const SELF = { code: 'DESTINATION_INVALID', reason: /^the address belongs to this platform$/ };

const REFUSED: readonly Case[] = [
  { name: 'too little', changes: () => ({ amount: '0.99' }), code: 'AMOUNT_OUT_OF_RANGE' },
  { name: 'too much', changes: () => ({ amount: '50000.01' }), code: 'AMOUNT_OUT_OF_RANGE' },
  { name: 'no amount', changes: () => ({ amount: '1.001' }), code: 'VALIDATION_ERROR' },
  {
    name: 'more than there is',
    changes: async () => {
      const poor = await payeeWith(world, market, { funds: '19.99' });
      return inputOf(poor);
    },
    code: 'INSUFFICIENT_FUNDS',
  },
  {
    name: 'another currency’s money',
    changes: () => ({ currency: 'USDC' }),
    code: 'INSUFFICIENT_FUNDS',
  },
  {
    name: 'XLM through the payment provider',
    changes: () => ({ currency: 'XLM' }),
    code: 'CURRENCY_NOT_SUPPORTED',
  },
  {
    name: 'an unknown user',
    changes: () => ({ userId: newId('usr', Date.now()) }),
    code: 'USER_NOT_FOUND',
  },
  {
    name: 'a user of another marketplace',
    changes: async () => ({ userId: await other.user() }),
    code: 'USER_NOT_FOUND',
  },
  {
    name: 'a suspended user',
    changes: async () => {
      const one = await payeeWith(world, market);
      await world.rows(`update users set status = 'SUSPENDED' where id = $1`, [one.userId]);
      return inputOf(one);
    },
    code: 'USER_NOT_ACTIVE',
  },
  {
    name: 'another user’s payment account',
    changes: async () => to('payment_account', (await payeeWith(world, market)).email),
    code: 'PAYMENT_ACCOUNT_INVALID',
    reason: /^the account is not the one linked to the user$/,
  },
  {
    name: 'an account that is not there',
    changes: () => to('payment_account', 'missing@example.test'),
    code: 'PAYMENT_ACCOUNT_INVALID',
  },
  {
    name: 'an account that is no e-mail address',
    changes: () => to('payment_account', 'unknown'),
    code: 'PAYMENT_ACCOUNT_INVALID',
  },
  {
    name: 'a user without a linked account',
    changes: async () => ({ userId: await market.user() }),
    code: 'PAYMENT_ACCOUNT_INVALID',
    reason: /^the user has no linked payment account$/,
  },
  {
    name: 'a memo to a bank',
    changes: () => to('bank', 'DE00', 'hello'),
    code: 'DESTINATION_INVALID',
    reason: /memo/,
  },
  { name: 'no address', changes: () => to('crypto', 'GABC'), code: 'DESTINATION_INVALID' },
  {
    name: 'a contract',
    changes: () => to('crypto', encodeStrKey('contract', Buffer.alloc(32, 3))),
    code: 'DESTINATION_INVALID',
  },
  {
    name: 'an address with a wrong checksum',
    changes: () => to('crypto', `${unknownAddress().slice(0, -1)}0`),
    code: 'DESTINATION_INVALID',
  },
  {
    name: 'an address that the network does not know',
    changes: () => to('crypto', unknownAddress()),
    code: 'DESTINATION_INVALID',
    reason: /^the account does not exist on the network$/,
  },
  {
    name: 'an address without the trustline',
    changes: async () => to('crypto', await externalAccount(world, { trusts: false })),
    code: 'DESTINATION_INVALID',
    reason: /^the account has no USDC trustline$/,
  },
  {
    name: 'a memo of 29 bytes',
    changes: async () => to('crypto', await externalAccount(world), `${'ä'.repeat(14)}x`),
    code: 'DESTINATION_INVALID',
    reason: /28 bytes/,
  },
  { name: 'the treasury', changes: house('treasury'), ...SELF },
  { name: 'a channel', changes: house('channel'), ...SELF },
  { name: 'a resolver', changes: house('resolver'), ...SELF },
  { name: 'the platform', changes: house('platform'), ...SELF },
  { name: 'the issuer', changes: () => to('crypto', world.sandbox.usdcIssuer), ...SELF },
  {
    name: 'the user’s own address',
    changes: async () => to('crypto', await walletOf(payee.userId)),
    ...SELF,
  },
  {
    name: 'a user of another marketplace by address',
    changes: async () => to('crypto', await walletOf(await other.user())),
    ...SELF,
  },
];

describe('a withdrawal that is refused leaves nothing', () => {
  it.each(REFUSED)('$name: $code', async ({ changes, code, reason }) => {
    const input = inputOf(payee, await changes());
    const before = await snapshotDatabase(world);
    const refusal = await refusalOf(create(input));
    expect(refusal.code).toBe(code);
    if (reason !== undefined) expect(refusal.details['reason']).toMatch(reason);
    expect(await snapshotDatabase(world)).toEqual(before);
    expect(await world.rows('select from withdrawal where user_id = $1', [input.userId])).toEqual(
      [],
    );
  });

  it('while payouts are paused: PAYOUTS_PAUSED', async () => {
    const call = systemCall(market.call.actor.marketplace);
    const one = await payeeWith(world, market);
    await transact(world.app, call, (tx) => pausePayouts(tx, 'a difference is open'));
    const before = await snapshotDatabase(world);
    expect(await refusalOf(create(inputOf(one)))).toEqual({
      code: 'PAYOUTS_PAUSED',
      details: { reason: 'a difference is open' },
    });
    expect(await snapshotDatabase(world)).toEqual(before);
    await transact(world.app, call, (tx) => resumePayouts(tx, 'explained', 'master'));
    expect((await create(inputOf(one))).status).toBe('WITHDRAWAL_CREATED');
  });
});
