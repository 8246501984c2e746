//! L4: money on the network that is lost: a merge that credits nothing, a payment without a memo.
import { Account, Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { within } from '../../../harness/wait.ts';
import { type Attack, unrecorded } from '../attack.ts';
import type { AttackWorld } from '../world.ts';

const MS_MAX = 30_000;

export const attack: Attack = {
  id: 'L4',
  title: 'have money lost on the network: by a merge, and at an account that requires a memo',
  evidence: unrecorded('the deposit has an entry of its own, and a refused input has none'),
  run: async (world) => {
    const { arrange, createUser, request, ready } = world;
    const user = await createUser();
    await within(MS_MAX, async () => (await walletOf(world, user)) !== undefined, 250);
    const wallet = await walletOf(world, user);
    if (wallet === undefined) throw new Error('the user got no wallet');
    const leaving = await openAccount(world, '25.5');
    await send(world, leaving, Operation.accountMerge({ destination: wallet }));
    const isCredited = await within(
      MS_MAX,
      async () => (await xlmOf(world, user)) === '25.49',
      250,
    );
    const exchange = await openAccount(world, '10');
    await send(world, exchange, Operation.manageData({ name: 'config.memo_required', value: '1' }));
    const wanted = { userId: user, amount: '5.00', currency: 'XLM' };
    const destination = { type: 'crypto', ref: exchange.publicKey() };
    if (!isCredited) await arrange(`/users/${user}/balance/credit`, { ...wanted, reason: 'setup' });
    const reply = await request('/withdrawals', {
      body: { ...wanted, destination },
      bearer: ready.apiKey,
    });
    const gained = [
      ...(isCredited ? [] : ['a merge was not credited']),
      ...(reply.status < 300 ? ['a withdrawal without a memo was accepted'] : []),
    ];
    if (reply.status >= 300 && reply.code !== 'DESTINATION_INVALID')
      throw new Error(`the withdrawal returned ${reply.status} ${reply.code}`);
    return gained.length === 0 ? undefined : gained.join('; ');
  },
  withoutFix: {
    file: 'apps/server/src/payments/withdrawals/check-destination.ts',
    find: 'if (found.value.requiresMemo && !memo)',
    replace: 'if (false as boolean)',
  },
};

async function walletOf(
  { request, ready }: AttackWorld,
  user: string,
): Promise<string | undefined> {
  const { data } = await request(`/users/${user}/wallet`, { bearer: ready.apiKey });
  return typeof data['ledgerAddress'] === 'string' ? data['ledgerAddress'] : undefined;
}

async function xlmOf({ request, ready }: AttackWorld, user: string): Promise<unknown> {
  const path = `/users/${user}/balance?currency=XLM`;
  const { data } = await request(path, { bearer: ready.apiKey });
  return data['available'];
}

async function openAccount({ sandbox }: AttackWorld, xlm: string): Promise<Keypair> {
  const keypair = Keypair.random();
  const body = JSON.stringify({ address: keypair.publicKey(), xlm });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${sandbox}/control/ledger/fund`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`the sandbox returned ${response.status}`);
  return keypair;
}

async function send(
  { sandbox, settings }: AttackWorld,
  keypair: Keypair,
  operation: xdr.Operation,
): Promise<void> {
  const address = keypair.publicKey();
  const account = (await (await fetch(`${sandbox}/horizon/accounts/${address}`)).json()) as {
    sequence: string;
  };
  const tx = new TransactionBuilder(new Account(address, account.sequence), {
    fee: '100',
    networkPassphrase: settings.worker['HOLDFAST_NETWORK_PASSPHRASE'] ?? '',
    timebounds: { minTime: 0, maxTime: 0 },
  })
    .addOperation(operation)
    .build();
  tx.sign(keypair);
  const body = new URLSearchParams({ tx: tx.toXdr() });
  const response = await fetch(`${sandbox}/horizon/transactions`, { method: 'POST', body });
  if (!response.ok) throw new Error(`the network returned ${await response.text()}`);
}
