// The call is right; the fault is in the transaction around it, or in what else the signature would
// authorise.
import { Account, Address, Keypair, MuxedAccount, xdr } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { type StepName, useHonestSteps } from '../../testing/honest-steps.ts';
import {
  authorise,
  callOf,
  decodeTx,
  encodeTx,
  invocation,
  invoke,
  reauthorise,
  reframe,
  scAddress,
  scAmount,
} from '../../testing/tamper.ts';
import { encodeStrKey } from '../network/strkey.ts';
import { checkTransaction, contractIdOf, type Expectation } from './transaction-policy.ts';

const { sandbox, parties, steps, network } = useHonestSteps();

const check = (name: StepName, text = steps[name].xdr, changes: Partial<Expectation> = {}) =>
  checkTransaction(text, {
    ...parties.settings,
    step: steps[name].step,
    now: network.now,
    ...changes,
  });
const refusal = (code: string) => ({ kind: 'refused', code });

const outsider = Keypair.random();
const foreign = encodeStrKey('contract', Buffer.alloc(32, 9));
const bounds = (minTime: number, maxTime: number) =>
  new xdr.TimeBounds({ minTime: BigInt(minTime), maxTime: BigInt(maxTime) });
const timed = (minTime: number, maxTime: number) =>
  xdr.Preconditions.precondTime(bounds(minTime, maxTime));
const muxed = (address: string) => new MuxedAccount(new Account(address, '0'), '7').toXdrObject();

describe('the source', () => {
  it('is refused when it is another account', () => {
    const text = reframe(steps.fund.xdr, () => ({ sourceAccount: outsider.xdrMuxedAccount() }));
    expect(check('fund', text)).toMatchObject(refusal('wrong-source'));
  });

  it('is refused when it is muxed', () => {
    const text = reframe(steps.fund.xdr, () => ({ sourceAccount: muxed(parties.buyer.address) }));
    expect(check('fund', text)).toMatchObject(refusal('wrong-source'));
  });

  it('is refused when the operation acts for another account', () => {
    const args = invocation(callOf(steps.fund.xdr));
    for (const source of [outsider.xdrMuxedAccount(), muxed(parties.buyer.address)]) {
      const operations = [invoke(args, [authorise(args)], source)];
      const text = reframe(steps.fund.xdr, () => ({ operations }));
      expect(check('fund', text)).toMatchObject(refusal('wrong-source'));
    }
  });

  it('may be named in the operation once more', () => {
    const args = invocation(callOf(steps.fund.xdr));
    const source = Keypair.fromPublicKey(parties.buyer.address).xdrMuxedAccount();
    const operations = [invoke(args, [authorise(args)], source)];
    expect(
      check(
        'fund',
        reframe(steps.fund.xdr, () => ({ operations })),
      ),
    ).toMatchObject({
      kind: 'done',
    });
  });
});

describe('the validity', () => {
  it('is refused without preconditions', () => {
    const text = reframe(steps.fund.xdr, () => ({ cond: xdr.Preconditions.precondNone() }));
    expect(check('fund', text)).toMatchObject(refusal('time-bound'));
  });

  it('is refused without an upper bound', () => {
    const text = reframe(steps.fund.xdr, () => ({ cond: timed(0, 0) }));
    expect(check('fund', text)).toMatchObject(refusal('time-bound'));
  });

  it('is refused a second beyond the longest validity, and accepted at it', () => {
    const { maxValiditySeconds } = parties.settings;
    const far = reframe(steps.fund.xdr, () => ({
      cond: timed(0, network.now + maxValiditySeconds + 1),
    }));
    const near = reframe(steps.fund.xdr, () => ({
      cond: timed(0, network.now + maxValiditySeconds),
    }));
    expect(check('fund', far)).toMatchObject(refusal('time-bound'));
    expect(check('fund', near)).toMatchObject({ kind: 'done' });
  });

  it('is refused when it has passed, or has not started', () => {
    const past = reframe(steps.fund.xdr, () => ({ cond: timed(0, network.now) }));
    const future = reframe(steps.fund.xdr, () => ({
      cond: timed(network.now + 1, network.now + 60),
    }));
    expect(check('fund', past)).toMatchObject(refusal('expired'));
    expect(check('fund', future)).toMatchObject(refusal('time-bound'));
  });

  it('is refused with conditions that we did not request', () => {
    const v2 = new xdr.PreconditionsV2({
      timeBounds: bounds(0, network.now + 60),
      ledgerBounds: null,
      minSeqNum: 1n,
      minSeqAge: 0n,
      minSeqLedgerGap: 0,
      extraSigners: [],
    });
    const text = reframe(steps.fund.xdr, () => ({ cond: xdr.Preconditions.precondV2(v2) }));
    expect(check('fund', text)).toMatchObject(refusal('time-bound'));
  });
});

describe('a transaction', () => {
  it('is refused one stroop above the highest fee, and accepted at it', () => {
    const { maxFeeStroops } = parties.settings;
    const dear = reframe(steps.fund.xdr, () => ({ fee: Number(maxFeeStroops) + 1 }));
    const fair = reframe(steps.fund.xdr, () => ({ fee: Number(maxFeeStroops) }));
    expect(check('fund', dear)).toMatchObject(refusal('fee'));
    expect(check('fund', fair)).toMatchObject({ kind: 'done' });
  });

  it('is refused with resources that its fee does not cover, or with none', () => {
    const poor = reframe(steps.fund.xdr, () => ({ fee: 100 }));
    const bare = reframe(steps.fund.xdr, () => ({ ext: xdr.TransactionExt.v0() }));
    expect(check('fund', poor)).toMatchObject(refusal('fee'));
    expect(check('fund', bare)).toMatchObject(refusal('fee'));
  });

  it('is refused with a memo', () => {
    const text = reframe(steps.fund.xdr, () => ({ memo: xdr.Memo.memoText('hello') }));
    expect(check('fund', text)).toMatchObject(refusal('memo'));
  });

  it('is refused with a signature on it', () => {
    const hint = Buffer.from(outsider.signatureHint());
    const signature = new xdr.DecoratedSignature({ hint, signature: Buffer.alloc(64) });
    const text = encodeTx(decodeTx(steps.fund.xdr), [signature]);
    expect(check('fund', text)).toMatchObject(refusal('signed'));
  });
});

describe('the operation', () => {
  it('is refused when there is another one, or none', () => {
    const twice = reframe(steps.fund.xdr, ({ operations }) => ({
      operations: [...operations, ...operations],
    }));
    const payment = reframe(steps.fund.xdr, ({ operations }) => ({
      operations: [...operations, payAway()],
    }));
    const none = reframe(steps.fund.xdr, () => ({ operations: [] }));
    for (const text of [twice, payment, none]) {
      expect(check('fund', text)).toMatchObject(refusal('operations'));
    }
  });

  it('is refused when it pays instead of calling', () => {
    const text = reframe(steps.fund.xdr, () => ({ operations: [payAway()] }));
    expect(check('fund', text)).toMatchObject(refusal('operations'));
  });

  it('is refused when it brings code instead of calling', () => {
    const hostFunction = xdr.HostFunction.hostFunctionTypeUploadContractWasm(Buffer.alloc(8));
    const body = new xdr.InvokeHostFunctionOp({ hostFunction, auth: [] });
    const operation = new xdr.Operation({
      sourceAccount: null,
      body: xdr.OperationBody.invokeHostFunction(body),
    });
    const text = reframe(steps.fund.xdr, () => ({ operations: [operation] }));
    expect(check('fund', text)).toMatchObject(refusal('operations'));
  });
});

function payAway(): xdr.Operation {
  const body = new xdr.PaymentOp({
    destination: outsider.xdrMuxedAccount(),
    asset: xdr.Asset.assetTypeNative(),
    amount: 1n,
  });
  return new xdr.Operation({ sourceAccount: null, body: xdr.OperationBody.payment(body) });
}

describe('the authorisation', () => {
  const transfer = (to: string, stroops: bigint) => {
    const { step } = steps.fund;
    if (step.step !== 'fund') throw new Error('it funds');
    const { trustline } = usdc();
    const args = [scAddress(step.signer), scAddress(to), scAmount(stroops)];
    return invocation({ contractId: trustline, functionName: 'transfer', args });
  };
  const usdc = () => {
    const escrow = callOf(steps.fund.xdr).args[1];
    const entry = escrow?.type === 'scvMap' ? escrow.map : undefined;
    const found = entry?.find(({ key }) => key.type === 'scvSymbol' && key.value === 'trustline');
    const inner = found?.val.type === 'scvMap' ? found.val.map?.[0]?.val : undefined;
    return { trustline: inner ? Address.fromScVal(inner).toString() : '' };
  };

  it('is refused for another account', () => {
    const credentials = xdr.SorobanCredentials.sorobanCredentialsAddress(
      new xdr.SorobanAddressCredentials({
        address: new Address(outsider.publicKey()).toScAddress(),
        nonce: 1n,
        signatureExpirationLedger: 99,
        signature: xdr.ScVal.scvVoid(),
      }),
    );
    const text = reauthorise(steps.fund.xdr, (args) => [authorise(args, [], credentials)]);
    expect(check('fund', text)).toMatchObject(refusal('authorisation'));
  });

  it('is refused for another call', () => {
    const other = transfer(outsider.publicKey(), 1n);
    const text = reauthorise(steps.fund.xdr, () => [authorise(other)]);
    expect(check('fund', text)).toMatchObject(refusal('authorisation'));
  });

  it('is refused when it comes twice', () => {
    const text = reauthorise(steps.fund.xdr, (args) => [authorise(args), authorise(args)]);
    expect(check('fund', text)).toMatchObject(refusal('authorisation'));
  });

  it('may cover the payment into the contract, and no other call', () => {
    const { step } = steps.fund;
    const contractId = step.step === 'fund' ? step.contractId : '';
    const reaching = (below: xdr.InvokeContractArgs) =>
      check(
        'fund',
        reauthorise(steps.fund.xdr, (args) => [authorise(args, [below])]),
      );
    expect(reaching(transfer(contractId, 1_000_000_000n))).toMatchObject({ kind: 'done' });
    expect(reaching(transfer(contractId, 1_000_000_001n))).toMatchObject(refusal('authorisation'));
    expect(reaching(transfer(outsider.publicKey(), 1_000_000_000n))).toMatchObject(
      refusal('authorisation'),
    );
  });

  it('of an approval may cover no other call', () => {
    const text = reauthorise(steps.approve.xdr, (args) => [
      authorise(args, [transfer(foreign, 1n)]),
    ]);
    expect(check('approve', text)).toMatchObject(refusal('authorisation'));
  });
});

describe('a transaction for another network', () => {
  it('is refused: its token and its contracts are not ours', () => {
    const passphrase = 'Test SDF Network ; September 2015';
    expect(check('deploy', steps.deploy.xdr, { passphrase })).toMatchObject(refusal('wrong-call'));
    expect(check('fund', steps.fund.xdr, { passphrase })).toMatchObject(refusal('wrong-call'));
    const ours = contractIdOf(steps.deploy.xdr, sandbox.passphrase);
    expect(contractIdOf(steps.deploy.xdr, passphrase)).not.toBe(ours);
  });
});

describe('text that is no plain envelope', () => {
  it('is refused', () => {
    const { xdr: honest } = steps.fund;
    const raw = Buffer.from(honest, 'base64');
    const longer = Buffer.concat([raw, Buffer.alloc(4)]).toString('base64');
    const old = Buffer.concat([Buffer.alloc(4), raw.subarray(8)]).toString('base64');
    for (const text of [
      '',
      'AAAA',
      `${honest} `,
      honest.slice(0, -4),
      longer,
      old,
      `\n${honest}`,
    ]) {
      expect(check('fund', text), text).toMatchObject(refusal('malformed'));
    }
  });
});
