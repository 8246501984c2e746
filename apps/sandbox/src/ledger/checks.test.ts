import { Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LedgerWorld, openLedgerWorld, storeCall } from '../testing/ledger-world.ts';
import type { ResultCodes } from './results.ts';

let here: LedgerWorld;
let payer: Keypair;
const outsider = Keypair.random();

beforeAll(async () => {
  here = await openLedgerWorld();
  payer = here.openWallet('50');
});
afterAll(() => here.stop());

interface Submittable {
  toXdr(): string;
}

/** The result code, and whether the transaction left a record. */
function codesOf(tx: Submittable): ResultCodes {
  const { ledger } = here.world;
  const before = ledger.account(payer.publicKey());
  const outcome = ledger.submit(tx.toXdr());
  if (outcome.kind === 'included') return outcome.record.codes;
  expect(ledger.find(outcome.hash)).toBeUndefined();
  expect(ledger.account(payer.publicKey())).toBe(before);
  expect(xdr.TransactionResult.fromXdr(outcome.resultXdr, 'base64').feeCharged).toBe(0n);
  return outcome.codes;
}

function pay(amount = '1', to = payer.publicKey(), source?: string) {
  const asset = Asset.native();
  return Operation.payment({ destination: to, asset, amount, ...(source && { source }) });
}

describe('transactions that are never included and change nothing', () => {
  const now = () => here.world.ledger.head().closeTime;

  // Each row breaks its own rule and those below it, so that the order of the checks shows.
  const ladder: [code: string, build: () => Submittable][] = [
    ['tx_missing_operation', () => here.build([outsider], [], { maxTime: 1 })],
    ['tx_too_late', () => here.build([outsider], [pay()], { maxTime: 1, fee: '1' })],
    ['tx_too_early', () => here.build([outsider], [pay()], { minTime: now() + 30, fee: '1' })],
    ['tx_insufficient_fee', () => here.build([outsider], [pay()], { fee: '99' })],
    ['tx_no_source_account', () => here.build([outsider], [pay()], { sequenceAhead: 3n })],
    ['tx_bad_seq', () => unsigned({ sequenceAhead: 1n })],
    ['tx_bad_seq', () => unsigned({ sequenceAhead: -1n })],
    ['tx_bad_auth', () => unsigned({})],
    ['tx_bad_auth', () => forged()],
  ];
  for (const [at, [code, build]] of ladder.entries()) {
    it(`${at + 1}. ${code}`, () => {
      expect(codesOf(build())).toEqual({ transaction: code });
    });
  }

  function unsigned(changes: { sequenceAhead?: bigint }): Submittable {
    const tx = here.build([payer], [pay()], changes);
    tx.signatures.length = 0;
    return tx;
  }

  /** The right hint over another transaction's signature. */
  function forged(): Submittable {
    const tx = here.build([payer], [pay('1')]);
    const other = here.build([payer], [pay('2')]);
    tx.signatures.splice(0, 1, ...other.signatures);
    return tx;
  }

  it('tx_insufficient_balance when the reserve leaves nothing for the fee', () => {
    const poor = here.openWallet('1');
    expect(codesOf(here.build([poor], [pay()]))).toEqual({
      transaction: 'tx_insufficient_balance',
    });
  });

  it('tx_bad_auth_extra for a signature that is not needed', () => {
    expect(codesOf(here.build([payer, outsider], [pay()]))).toEqual({
      transaction: 'tx_bad_auth_extra',
    });
  });

  it('tx_failed with op_bad_auth when the source of an operation has not signed', () => {
    const other = here.openWallet();
    const tx = here.build([payer], [pay(), pay('1', payer.publicKey(), other.publicKey())]);
    expect(codesOf(tx)).toEqual({
      transaction: 'tx_failed',
      operations: ['op_success', 'op_bad_auth'],
    });
  });

  it('op_not_supported for what this ledger does not do', () => {
    const tx = here.build([payer], [pay(), Operation.setOptions({ homeDomain: 'example.org' })]);
    expect(codesOf(tx).operations).toEqual(['op_success', 'op_not_supported']);
  });

  it('tx_soroban_invalid for a call without its resources, tx_malformed beside another', () => {
    expect(codesOf(here.build([payer], [storeCall(1)])).transaction).toBe('tx_soroban_invalid');
    expect(codesOf(here.build([payer], [storeCall(1), pay()])).transaction).toBe('tx_malformed');
  });

  it('tx_bad_auth for a signature for another network', () => {
    const { sequence = 0n } = here.world.ledger.account(payer.publicKey()) ?? {};
    const own = here.build([payer], [pay()]);
    const foreign = TransactionBuilder.fromXdr(own.toXdr(), 'Test SDF Network ; September 2015');
    foreign.signatures.length = 0;
    foreign.sign(payer);
    expect(codesOf(foreign)).toEqual({ transaction: 'tx_bad_auth' });
    expect(here.world.ledger.account(payer.publicKey())?.sequence).toBe(sequence);
  });
});

describe('time bounds', () => {
  it('hold in the time of the world, to the second', () => {
    const { ledger, clock } = here.world;
    const maxTime = ledger.head().closeTime + 500;
    const early = here.build([payer], [pay()], { minTime: maxTime - 100, maxTime });
    expect(codesOf(early).transaction).toBe('tx_too_early');
    clock.advance(450);
    const late = here.build([payer], [pay('2')], { maxTime });
    expect(codesOf(early).transaction).toBe('tx_success');
    clock.advance(60);
    expect(ledger.head().closeTime).toBeGreaterThan(maxTime);
    expect(codesOf(late).transaction).toBe('tx_too_late');
  });
});

describe('fee bumps that are not taken', () => {
  function bump(fee: string, source = payer, signer = source): Submittable {
    const user = here.openWallet();
    const inner = here.build([user], [pay()], { fee: '300' });
    const { passphrase } = here.world.ledger.network;
    const tx = TransactionBuilder.buildFeeBumpTransaction(source, '300', inner, passphrase);
    const envelope = tx.toEnvelope();
    if (envelope.type !== 'envelopeTypeTxFeeBump') throw new Error('no fee bump');
    const { feeBump } = envelope;
    // The SDK refuses to build a low fee; the ledger has to refuse it too.
    const low = new xdr.FeeBumpTransaction({
      feeSource: feeBump.tx.feeSource,
      fee: BigInt(fee),
      innerTx: feeBump.tx.innerTx,
      ext: feeBump.tx.ext,
    });
    const raw = xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
      new xdr.FeeBumpTransactionEnvelope({ tx: low, signatures: [] }),
    );
    const changed = TransactionBuilder.fromXdr(raw.toXdr('base64'), passphrase);
    changed.sign(signer);
    return changed;
  }

  it('with a lower fee per operation than the inner transaction', () => {
    expect(codesOf(bump('599'))).toEqual({ transaction: 'tx_insufficient_fee' });
    expect(codesOf(bump('600')).transaction).toBe('tx_fee_bump_inner_success');
  });

  it('with a payer that does not exist, has not signed or has no money', () => {
    expect(codesOf(bump('600', outsider))).toEqual({ transaction: 'tx_no_source_account' });
    expect(codesOf(bump('600', payer, outsider))).toEqual({ transaction: 'tx_bad_auth' });
    expect(codesOf(bump('600', here.openWallet('1')))).toEqual({
      transaction: 'tx_insufficient_balance',
    });
  });
});
