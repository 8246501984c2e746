import type { Currency } from '@holdfast/kernel/currency';
import { minorText } from '@holdfast/kernel/money';
import { TransactionBuilder } from '@stellar/stellar-sdk/base';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import {
  createdBy,
  entriesOf,
  externalAccount,
  holdsOf,
  instead,
  type Payee,
  payeeWith,
  statusOf,
  usePayoutWorld,
} from '../../testing/withdrawals.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import type { Withdrawal } from './withdrawal.ts';

const { world, market } = usePayoutWorld();
let network: LedgerNetwork;
beforeAll(() => {
  ({ network } = world.custody);
});
afterEach(() => void Object.assign(world.custody, { network }));

type Id = Withdrawal['id'];

interface Outgoing extends Payee {
  readonly id: Id;
  readonly to: string;
  readonly currency: Currency;
}

async function outgoing(currency: Currency = 'USD', memo?: string): Promise<Outgoing> {
  const payee = await payeeWith(world, market, { currency });
  const to = await externalAccount(world);
  await world.runWorker();
  const destination = { type: 'crypto', ref: to, ...(memo === undefined ? {} : { memo }) } as const;
  const id = await createdBy(world, market, payee, { currency, destination });
  return { ...payee, id, to, currency };
}

const commit = (id: Id, call = market.call) => commitWithdrawal(world.app, call, id);
const holds = (one: Outgoing) => holdsOf(world, market, one, one.currency);

async function stroopsAt(address: string, asset: 'USDC' | 'XLM' = 'USDC'): Promise<bigint> {
  const found = await network.account(address);
  if (found.kind !== 'done') throw new Error(found.reason);
  return found.value?.assets.find(({ code }) => code === asset)?.stroops ?? 0n;
}

const envelopesOf = (id: Id) =>
  world.rows<{ hash: string; state: string; xdr: string }>(
    `select e.hash, e.state, e.xdr from envelope e join operation o on o.resource_id = $1
     where e.purpose = 'commit-withdrawal:pay:' || o.id order by attempt`,
    [id],
  );

const paymentsTo = async (address: string) =>
  (await world.sandbox.journal()).filter(
    ({ effect, to, amount }) => effect === 'ledger.payment' && to === address && amount !== '100',
  );

describe('a withdrawal over the network', () => {
  it.each(['USD', 'USDC'] as const)(
    'in %s pays USDC from the user’s own address',
    async (currency) => {
      const one = await outgoing(currency);
      const call = oneCall(market);
      const paid = await commit(one.id, call);
      expect(paid.status).toBe('WITHDRAWAL_COMPLETED');
      expect(await stroopsAt(one.to)).toBe(200_000_000n);
      expect(await holds(one)).toBe('30.00 0.00');
      expect(await entriesOf(world, one.id)).toEqual([
        'withdrawal_hold 20.00',
        'withdrawal_crypto 20.00',
      ]);
      const [envelope] = await envelopesOf(one.id);
      expect(envelope).toMatchObject({ hash: paid.transactionHash, state: 'APPLIED' });
      expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([
        'withdrawal.committed',
        'balance.debited',
        'withdrawal.completed',
      ]);
      expect((await auditedBy(world, call)).at(-1)).toMatchObject({
        action: 'WITHDRAWAL_COMPLETED',
        after: { transactionHash: paid.transactionHash },
      });
    },
  );

  it('in XLM pays XLM, and carries its memo', async () => {
    const one = await outgoing('XLM', 'invoice 7');
    const before = await stroopsAt(one.to, 'XLM');
    const paid = await commit(one.id);
    expect(paid.status).toBe('WITHDRAWAL_COMPLETED');
    expect((await stroopsAt(one.to, 'XLM')) - before).toBe(200_000_000n);
    const [envelope] = await envelopesOf(one.id);
    const sent = TransactionBuilder.fromXDR(envelope?.xdr ?? '', network.passphrase);
    const memo = 'memo' in sent ? sent.memo.value : null;
    expect(Buffer.from(memo as Uint8Array).toString()).toBe('invoice 7');
    expect(await holds(one)).toBe('30.00 0.00');
  });

  it('is paid by the user, carried by a channel, and costs the user nothing', async () => {
    const one = await outgoing();
    await commit(one.id);
    const [payment] = await paymentsTo(one.to);
    const [envelope] = await envelopesOf(one.id);
    const sent = TransactionBuilder.fromXDR(envelope?.xdr ?? '', network.passphrase);
    const operation = 'operations' in sent ? sent.operations[0] : undefined;
    const source = await addressOf(world, one.userId);
    expect(operation).toMatchObject({ type: 'payment', source });
    const channels = await world.rows<{ address: string }>(
      `select address from house_wallet where kind = 'channel'`,
    );
    expect(channels.map(({ address }) => address)).toContain('source' in sent && sent.source);
    expect(payment?.txHash).toBe(envelope?.hash);
  });

  it('marks the address as due for the mirror', async () => {
    const one = await outgoing();
    await commit(one.id);
    const due = await world.rows(
      'select from mirror_queue where user_id = $1 and has_network_movement',
      [one.userId],
    );
    expect(due.length).toBeGreaterThan(0);
  });

  it('uses the balance of the address, and the treasury for the rest', async () => {
    const one = await outgoing();
    const address = await addressOf(world, one.userId);
    await world.sandbox.deposit(address, 'USDC', '15');
    await commit(one.id);
    expect((await paymentsTo(address)).map(({ amount }) => amount)).toEqual(['15', '5']);
    expect(await stroopsAt(address)).toBe(0n);
  });
});

describe('a refusal by the network', () => {
  it.each([
    ['the payment', 2],
    ['the cover', 1],
  ])('%s: failed, and the hold is given back', async (_, at) => {
    const one = await outgoing();
    if (at === 1) await world.sandbox.arm('ledger', 'submit', 'reject');
    else await refuseSend(2);
    const failed = await commit(one.id);
    expect(failed).toMatchObject({
      status: 'WITHDRAWAL_FAILED',
      errorCode: expect.any(String),
      transactionHash: null,
    });
    expect(await holds(one)).toBe('50.00 0.00');
    expect(await stroopsAt(one.to)).toBe(0n);
    expect(await entriesOf(world, one.id)).toEqual([
      'withdrawal_hold 20.00',
      'withdrawal_hold_return 20.00',
    ]);
    expect(await world.engine.runWorker()).toBe(0);
  });

  /** The ledger accepts the first transaction, and shows the second as failed. */
  async function refuseSend(number: number): Promise<void> {
    let sent = 0;
    replaceNetwork({
      send: async (envelope) => {
        sent += 1;
        if (sent === number) await world.sandbox.arm('ledger', 'submit', 'reject');
        return network.send(envelope);
      },
    });
  }
});

function replaceNetwork(changes: Partial<LedgerNetwork>): void {
  Object.assign(world.custody, { network: instead(network, changes) });
}

describe('an unknown outcome', () => {
  it.each(['drop-after', 'drop-before', 'error-after', 'garbage'])(
    'by %s: 504 with the operation, and paid once',
    async (kind) => {
      const one = await outgoing();
      let sends = 0;
      replaceNetwork({
        send: async (envelope) => {
          sends += 1;
          if (sends === 2) await world.sandbox.arm('ledger', 'submit', kind);
          return network.send(envelope);
        },
      });
      const response = await market.send('POST', `/withdrawals/${one.id}/commit`);
      expect([response.status, response.json.error?.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
      expect(response.json.error.details.operationId).toMatch(/^op_/);
      const [written] = await envelopesOf(one.id);
      expect(written?.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(await holds(one)).toBe('30.00 20.00');
      expect(await world.engine.runWorker()).toBe(0);
      expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_COMPLETED');
      expect(await paymentsTo(one.to)).toHaveLength(1);
      expect(await holds(one)).toBe('30.00 0.00');
    },
  );
});

describe('a worker that dies', () => {
  const died = new Error('the process is gone');
  /** At the send that pays the withdrawal out: the second, after its cover. */
  const dyingAt = (crashPoint: 'before' | 'after', number: number) => {
    let sends = 0;
    replaceNetwork({
      send: async (envelope) => {
        sends += 1;
        if (sends === number && crashPoint === 'before') throw died;
        const response = await network.send(envelope);
        if (sends === number) throw died;
        return response;
      },
    });
  };

  it.each([
    ['before', 1],
    ['after', 1],
    ['before', 2],
    ['after', 2],
  ] as const)('%s send %i: another finishes it, once', async (crashPoint, number) => {
    const one = await outgoing();
    dyingAt(crashPoint, number);
    await expect(commit(one.id)).rejects.toThrow();
    Object.assign(world.custody, { network });
    expect(await world.engine.runWorker()).toBe(0);
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_COMPLETED');
    expect(await paymentsTo(one.to)).toHaveLength(1);
    expect(await holds(one)).toBe('30.00 0.00');
  });

  it('between the payment and its last transaction: nothing is paid twice', async () => {
    const one = await outgoing();
    await world.rows(`create function die() returns trigger language plpgsql as
      $$ begin raise exception 'the process is gone'; end $$`);
    await world.rows(`create trigger die before update on withdrawal for each row
      when (new.status = 'WITHDRAWAL_COMPLETED') execute function die()`);
    await expect(commit(one.id)).rejects.toThrow();
    await world.rows('drop trigger die on withdrawal');
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_COMMITTED');
    expect(await world.engine.runWorker()).toBe(0);
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_COMPLETED');
    expect(await paymentsTo(one.to)).toHaveLength(1);
  });
});

it('several of one user go out one after the other, each in full', async () => {
  const payee = await payeeWith(world, market, { funds: '60.00' });
  await world.runWorker();
  const to = await externalAccount(world);
  const destination = { type: 'crypto', ref: to } as const;
  const ids = [1, 2, 3].map(() => createdBy(world, market, payee, { destination }));
  const paid = await Promise.all((await Promise.all(ids)).map((id) => commit(id)));
  expect(paid.map(({ status }) => status)).toEqual(Array(3).fill('WITHDRAWAL_COMPLETED'));
  expect(await stroopsAt(to)).toBe(600_000_000n);
  expect(await holdsOf(world, market, payee)).toBe('0.00 0.00');
  const house = await world.rows<{ sum: string }>(
    `select sum(p.delta) from house_delta p join account a on a.id = p.account_id
     where a.kind = 'network_clearing' and a.currency = 'USD'`,
  );
  expect(minorText(BigInt(house[0]?.sum ?? 0))).toMatch(/^\d+0\.00$/);
});
