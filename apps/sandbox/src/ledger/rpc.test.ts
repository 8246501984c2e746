import { Contract, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { Api } from '@stellar/stellar-sdk/rpc';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  hashOf,
  type LedgerWorld,
  openLedgerWorld,
  storeCall,
  VAULT,
} from '../testing/ledger-world.ts';

let here: LedgerWorld;
let sponsor: Keypair;
let user: Keypair;

beforeEach(async () => {
  here = await openLedgerWorld();
  sponsor = here.openWallet();
  user = await here.openSponsored(sponsor);
  here.world.ledger.deposit(user.publicKey(), 'USDC', '10');
});
afterEach(() => here.stop());

/** Simulated, prepared, signed; carried by the sponsor's fee bump, since users hold no XLM. */
async function prepared(operation: xdr.Operation, signer = user) {
  const tx = await here.rpc.prepareTransaction(here.build([signer], [operation]));
  tx.sign(signer);
  const { passphrase } = here.world.ledger.network;
  const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', tx, passphrase);
  bump.sign(sponsor);
  return { tx, bump };
}

it('simulate, prepare, sign, send, poll: a contract called by a wallet without XLM', async () => {
  const { tx, bump } = await prepared(storeCall(25));
  const sent = await here.rpc.sendTransaction(bump);
  expect(sent).toMatchObject({ status: 'PENDING', hash: hashOf(bump) });
  const polled = await here.rpc.pollTransaction(hashOf(bump), { sleepStrategy: () => 1 });
  if (polled.status !== Api.GetTransactionStatus.SUCCESS) throw new Error(polled.status);
  expect(polled.returnValue).toEqual(xdr.ScVal.scvU32(1));
  expect(polled.feeBump).toBe(true);
  expect(polled.resultXdr.result.type).toBe('txFeeBumpInnerSuccess');
  expect(polled.envelopeXdr.toXdr('base64')).toBe(bump.toXdr());
  expect(here.world.ledger.usdcOf(VAULT)).toBe(25n);
  expect((await here.rpc.getTransaction(hashOf(tx))).status).toBe('SUCCESS');
  expect(here.world.journal.entries().at(-1)).toMatchObject({
    effect: 'vault.store',
    txHash: hashOf(bump),
  });
});

it('the same envelope is DUPLICATE for a while, then ERROR with txBadSeq, and has no effect', async () => {
  const { bump } = await prepared(storeCall(1));
  const before = here.world.ledger.usdcOf(VAULT);
  expect((await here.rpc.sendTransaction(bump)).status).toBe('PENDING');
  expect((await here.rpc.sendTransaction(bump)).status).toBe('DUPLICATE');
  here.world.clock.advance(11);
  const late = await here.rpc.sendTransaction(bump);
  expect(late.status).toBe('ERROR');
  expect(late.errorResult?.result.type).toBe('txBadSeq');
  expect((await here.rpc.getTransaction(hashOf(bump))).status).toBe('SUCCESS');
  expect(here.world.ledger.usdcOf(VAULT)).toBe(before + 1n);
});

it('a simulation returns the contract’s error sentence and changes nothing', async () => {
  const shut = new Contract(VAULT).call('break');
  const refused = await here.rpc.simulateTransaction(here.build([user], [shut]));
  expect(refused).toMatchObject({ error: 'HostError: The vault is shut' });
  const before = here.world.ledger.usdcOf(VAULT);
  const fine = await here.rpc.simulateTransaction(here.build([user], [storeCall(5)]));
  expect(Api.isSimulationSuccess(fine) && fine.result?.retval.type).toBe('scvU32');
  expect(here.world.ledger.usdcOf(VAULT)).toBe(before);
  const poor = await here.rpc.simulateTransaction(here.build([sponsor], [storeCall(5)]));
  expect(poor).toMatchObject({ error: 'HostError: trustline entry is missing for the sender' });
});

it('a call that fails on the ledger is FAILED, costs fee and sequence, returns the sentence', async () => {
  const call = here.world.ledger.buildCall({
    source: sponsor.publicKey(),
    contractId: VAULT,
    functionName: 'break',
    args: [],
  });
  const tx = TransactionBuilder.fromXdr(call, here.world.ledger.network.passphrase);
  tx.sign(sponsor);
  const { sequence = 0n, balance = 0n } = here.world.ledger.account(sponsor.publicKey()) ?? {};
  expect((await here.rpc.sendTransaction(tx)).status).toBe('PENDING');
  const found = await here.rpc.getTransaction(hashOf(tx));
  if (found.status !== Api.GetTransactionStatus.FAILED) throw new Error(found.status);
  const data = found.diagnosticEventsXdr?.[0]?.event.body.value.data;
  expect(data).toEqual(xdr.ScVal.scvString('The vault is shut'));
  expect(here.world.ledger.account(sponsor.publicKey())).toMatchObject({
    sequence: sequence + 1n,
    balance: balance - 50_100n,
  });
});

it('what is invalid is ERROR with its result', async () => {
  const outsider = Keypair.random();
  const sent = await here.rpc.sendTransaction(
    here.build([outsider], [Operation.bumpSequence({ bumpTo: '1' })]),
  );
  expect(sent.status).toBe('ERROR');
  expect(sent.errorResult?.result.type).toBe('txNoAccount');
  expect((await here.rpc.getTransaction(sent.hash)).status).toBe('NOT_FOUND');
});

it('reads accounts, trustlines and what a contract holds', async () => {
  await here.rpc.sendTransaction((await prepared(storeCall(2))).bump);
  const account = await here.rpc.getAccount(user.publicKey());
  const { sequence } = here.world.ledger.account(user.publicKey()) ?? {};
  expect(account.sequenceNumber()).toBe(String(sequence));
  const own = await here.rpc.getAssetBalance(user.publicKey(), here.usdc);
  expect(own.balanceEntry?.amount).toBe(String(here.world.ledger.usdcOf(user.publicKey())));
  const held = await here.rpc.getAssetBalance(VAULT, here.usdc);
  expect(held.balanceEntry?.amount).toBe(String(here.world.ledger.usdcOf(VAULT)));
});

it('is healthy, knows its network, and its time advances while it is idle', async () => {
  expect((await here.rpc.getHealth()).status).toBe('healthy');
  expect((await here.rpc.getNetwork()).passphrase).toBe('Holdfast Sandbox Network ; 2026');
  expect((await here.rpc.getFeeStats()).inclusionFee.mode).toBe('100');
  const before = await here.rpc.getLatestLedger();
  here.world.clock.advance(100);
  const first = here.world.ledger.head();
  const after = await here.rpc.getLatestLedger();
  expect(after.sequence).toBeGreaterThanOrEqual(before.sequence + 100);
  const closeTime = Number(after.headerXdr.scpValue.closeTime);
  expect(closeTime).toBeGreaterThanOrEqual(first.closeTime);
  expect(closeTime).toBeLessThanOrEqual(here.world.ledger.head().closeTime);
});

it('returns the events of a contract by topic, and continues from a cursor', async () => {
  await here.rpc.sendTransaction((await prepared(storeCall(2))).bump);
  const startLedger = 2;
  const filters = [{ type: 'contract' as const, contractIds: [VAULT] }];
  const first = await here.rpc.getEvents({ startLedger, filters, limit: 1 });
  expect(first.events.map(({ topic }) => topic[0])).toEqual([xdr.ScVal.scvSymbol('stored')]);
  const { bump } = await prepared(storeCall(3));
  await here.rpc.sendTransaction(bump);
  const rest = await here.rpc.getEvents({ cursor: first.cursor, filters });
  expect(rest.events.at(-1)?.txHash).toBe(hashOf(bump));
  expect(rest.events.map(({ id }) => id)).not.toContain(first.events[0]?.id);
  const transfer = xdr.ScVal.scvSymbol('transfer').toXdr('base64');
  const topics = [[transfer, '*', '*', '*']];
  const moved = await here.rpc.getEvents({ startLedger, filters: [{ topics }] });
  expect(moved.events.at(-1)?.contractId?.contractId()).toBe(
    here.world.ledger.network.usdcContract,
  );
});

it('an unknown method and what can’t be read are errors of JSON-RPC', async () => {
  const call = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${here.url}/rpc`, { method: 'POST', body });
    return (await response.json()) as object;
  };
  expect(await call('getMoon', {})).toMatchObject({ error: { code: -32601 } });
  expect(await call('sendTransaction', { transaction: 'AAAA' })).toMatchObject({
    error: { code: -32602 },
  });
  const unreadable = { error: { code: -32602 } };
  expect(await call('getLedgerEntries', { keys: ['AAAA'] })).toMatchObject(unreadable);
  const pagination = { cursor: 'yesterday' };
  expect(await call('getEvents', { pagination })).toMatchObject(unreadable);
  expect(Object.keys(await call('getHealth', {}))).not.toContain('error');
});
