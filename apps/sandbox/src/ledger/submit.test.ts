import { type Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultKind } from '../faults.ts';
import { hashOf, type LedgerWorld, openLedgerWorld, VAULT } from '../testing/ledger-world.ts';

let here: LedgerWorld;
let user: Keypair;

beforeAll(async () => {
  here = await openLedgerWorld();
  user = here.openWallet();
  const trust = Operation.changeTrust({ asset: here.usdc });
  await here.horizon.submitTransaction(here.build([user], [trust]));
  here.world.ledger.deposit(user.publicKey(), 'USDC', '10');
});
beforeEach(() => here.world.faults.clear());
afterAll(() => here.stop());

function arm(kind: FaultKind, provider = 'ledger', operation = 'submit'): void {
  here.world.faults.arm({ provider, operation, kind, times: 1 });
}

function payment() {
  const destination = here.usdc.issuer ?? '';
  return here.build([user], [Operation.payment({ destination, asset: here.usdc, amount: '0.1' })]);
}

/** A call of the vault: of provider `escrow`, operation `fund`. */
function storing() {
  const { ledger } = here.world;
  const source = user.publicKey();
  const xdr = ledger.buildCall({ source, contractId: VAULT, functionName: 'store', args: [] });
  const tx = TransactionBuilder.fromXdr(xdr, ledger.network.passphrase);
  tx.sign(user);
  return tx;
}

const isApplied = (tx: { hash(): Uint8Array }) =>
  here.world.ledger.find(hashOf(tx))?.isSuccessful ?? 'never included';

type Sendable = Parameters<LedgerWorld['rpc']['sendTransaction']>[0];
const entrances: [name: string, send: (tx: Sendable) => Promise<unknown>][] = [
  ['Horizon', (tx) => here.horizon.submitTransaction(tx, { skipMemoRequiredCheck: true })],
  ['RPC', (tx) => here.rpc.sendTransaction(tx)],
];

describe.each(entrances)('faults of a submission by %s', (name, send) => {
  const rows: [kind: FaultKind, outcome: true | false | 'never included'][] = [
    ['error-before', 'never included'],
    ['drop-before', 'never included'],
    ['error-after', true],
    ['drop-after', true],
    ['garbage', true],
  ];
  it.each(rows)('%s: the caller does not learn the outcome; applied: %s', async (kind, outcome) => {
    arm(kind);
    const tx = payment();
    const isUnknown = await send(tx).then(
      (response) => typeof response !== 'object' || response === null || !('hash' in response),
      (error: unknown) => !String((error as Error).message).includes('result_codes'),
    );
    expect(isUnknown).toBe(true);
    expect(isApplied(tx)).toBe(outcome);
    // The fault is used up; the same envelope is safe to send again.
    await send(tx);
    expect(isApplied(tx)).toBe(true);
  });

  it('reject: included and FAILED, at the price of fee and sequence', async () => {
    arm('reject');
    const { sequence = 0n, balance = 0n } = here.world.ledger.account(user.publicKey()) ?? {};
    const entries = here.world.journal.entries().length;
    const usdc = here.world.ledger.usdcOf(user.publicKey());
    const tx = payment();
    await send(tx).catch(() => undefined);
    expect(isApplied(tx)).toBe(false);
    const account = here.world.ledger.account(user.publicKey());
    expect(account).toMatchObject({ sequence: sequence + 1n, balance: balance - 100n });
    expect(here.world.ledger.usdcOf(user.publicKey())).toBe(usdc);
    expect(here.world.journal.entries()).toHaveLength(entries);
    await send(tx).catch(() => undefined);
    expect(isApplied(tx)).toBe(false);
  });

  it('a contract’s step has its own faults, and a payment is not struck by them', async () => {
    arm('reject', 'escrow', 'fund');
    const pay = payment();
    await send(pay);
    expect(isApplied(pay)).toBe(true);
    const call = storing();
    await send(call).catch(() => undefined);
    expect(isApplied(call)).toBe(false);
    expect(here.world.ledger.find(hashOf(call))?.codes.operations).toEqual(['function_trapped']);
    const next = storing();
    await send(next);
    expect(isApplied(next)).toBe(true);
  });

  it(`${name} uses up no fault when the request has no valid envelope`, async () => {
    arm('drop-before');
    const path = name === 'RPC' ? '/rpc' : '/horizon/transactions';
    const params = { transaction: 'AAAA' };
    const body =
      name === 'RPC' ? JSON.stringify({ id: 1, method: 'sendTransaction', params }) : 'tx=AAAA';
    const response = await fetch(`${here.url}${path}`, { method: 'POST', body });
    expect(await response.text()).toContain('could not decode');
    expect(here.world.faults.armed()).toHaveLength(1);
  });
});

describe('other faults', () => {
  it('no-contract-id: the return value is kept back once', async () => {
    arm('no-contract-id', 'escrow', 'fund');
    const tx = storing();
    await here.rpc.sendTransaction(tx);
    const seen = async () => {
      const found = await here.rpc.getTransaction(hashOf(tx));
      return {
        status: found.status,
        has: 'returnValue' in found && found.returnValue !== undefined,
      };
    };
    expect(await seen()).toEqual({ status: 'SUCCESS', has: false });
    expect(await seen()).toEqual({ status: 'SUCCESS', has: true });
  });

  it('a failing lookup fails once in each API, and changes nothing', async () => {
    const tx = payment();
    await here.horizon.submitTransaction(tx);
    const byHorizon = () => here.horizon.transactions().transaction(hashOf(tx)).call();
    for (const readTransaction of [byHorizon, () => here.rpc.getTransaction(hashOf(tx))]) {
      for (const kind of ['error-before', 'drop-after', 'garbage'] as const) {
        arm(kind, 'ledger', 'lookup');
        const seen = await readTransaction().then(
          (found) => JSON.stringify(found) ?? '',
          () => '',
        );
        expect(seen).not.toContain(hashOf(tx));
        expect(JSON.stringify(await readTransaction())).toContain(hashOf(tx));
      }
    }
  });
});
