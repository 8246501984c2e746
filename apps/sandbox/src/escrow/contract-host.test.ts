import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { StrKey, scValToNative, xdr } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ContractError } from '../ledger/contract.ts';
import type { Invocation } from '../ledger/envelope.ts';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrow-world.ts';
import { FACTORY } from './contract-address.ts';
import { address, bytes, escrowValue, list, readEscrow, text } from './contract-values.ts';

let here: EscrowWorld;
beforeAll(async () => {
  here = await openEscrowWorld();
});
afterAll(() => void here.server.close());

async function built(path: string, body: object): Promise<Invocation> {
  const reply = await here.call('POST', path, body);
  const { call } = here.world.ledger.read(String(reply.body['unsignedTransaction']));
  assert.ok(call, JSON.stringify(reply.body));
  return call;
}

/** The call with one argument replaced. */
function withArgument(call: Invocation, index: number, value: xdr.ScVal): Invocation {
  return { ...call, args: call.args.map((arg, at) => (at === index ? value : arg)) };
}

function assertRefused(call: Invocation, source: string, sentence: RegExp): void {
  assert.throws(
    () => here.world.ledger.simulate(source, call),
    (error) => error instanceof ContractError && sentence.test(error.message),
  );
}

const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

describe('the factory', () => {
  // By hand, byte for byte: what the server must come to from the envelope alone.
  it('makes the address of a child from network, factory and salt', async () => {
    const call = await built('/deployer/single-release', here.singleBody());
    const salt = scValToNative(call.args[2] as xdr.ScVal) as Uint8Array;
    const expected = sha256(
      Buffer.from([0, 0, 0, 8]),
      sha256(here.world.ledger.network.passphrase),
      Buffer.from([0, 0, 0, 0]),
      Buffer.from([0, 0, 0, 1]),
      StrKey.decodeContract(FACTORY),
      salt,
    );
    const { returnValue } = here.world.ledger.simulate(here.buyer.publicKey(), call);
    const [contractId] = scValToNative(returnValue) as [string];
    assert.equal(contractId, StrKey.encodeContract(expected));
  });

  it('is called only by the signer that it names', async () => {
    const call = await built('/deployer/single-release', here.singleBody());
    assertRefused(call, here.seller.publicKey(), /Auth, InvalidAction/);
  });

  it('deploys its own code only, and only over USDC', async () => {
    const call = await built('/deployer/single-release', here.singleBody());
    const source = here.buyer.publicKey();
    here.world.ledger.simulate(source, call);
    const otherCode = withArgument(call, 1, bytes(Buffer.alloc(32)));
    assertRefused(otherCode, source, /Storage, MissingValue/);
    const init = call.args[4];
    assert.ok(init?.type === 'scvVec');
    const escrow = readEscrow('single-release', init.vec?.[0]);
    const inOther = escrowValue({ ...escrow, trustline: FACTORY });
    assertRefused(withArgument(call, 4, list([inOther])), source, /UnexpectedType/);
  });
});

describe('an escrow contract', () => {
  it('takes money only from the signer', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const signer = here.buyer.publicKey();
    const body = { contractId, signer, amount: 100 };
    const call = await built('/escrow/single-release/fund-escrow', body);
    assertRefused(call, here.seller.publicKey(), /Auth, InvalidAction/);
  });

  it('has the functions of its kind and no others', async () => {
    const contractId = await here.deploy('multi-release', here.multiBody());
    const source = here.buyer.publicKey();
    const call = { contractId, functionName: 'dispute_escrow', args: [address(source)], auth: [] };
    assertRefused(call, source, /WasmVm, MissingValue/);
    assertRefused({ ...call, functionName: 'upgrade' }, source, /WasmVm, MissingValue/);
  });

  it('refuses arguments of another type or number', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const approver = here.buyer.publicKey();
    const body = { contractId, milestoneIndex: '0', approver };
    const call = await built('/escrow/single-release/approve-milestone', body);
    assertRefused(withArgument(call, 0, xdr.ScVal.scvU32(0)), approver, /UnexpectedType/);
    assertRefused({ ...call, args: call.args.slice(0, 1) }, approver, /UnexpectedType/);
    assertRefused({ ...call, args: [...call.args, text('more')] }, approver, /UnexpectedType/);
    // A text where an address belongs: it reads the same, and still is not one.
    assertRefused(withArgument(call, 1, text(approver)), approver, /UnexpectedType/);
  });

  it('returns its state to any caller', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const call = { contractId, functionName: 'get_escrow', args: [], auth: [] };
    const { returnValue } = here.world.ledger.simulate(here.seller.publicKey(), call);
    const escrow = scValToNative(returnValue) as { engagement_id: string };
    assert.equal(escrow.engagement_id, 'ord_1');
  });

  it('emits an event for each step under the vendor’s topic', async () => {
    const signer = here.buyer.publicKey();
    const contractId = await here.deploy('single-release', here.singleBody());
    const single = '/escrow/single-release';
    await here.act(`${single}/fund-escrow`, { contractId, signer, amount: 100 }, here.buyer);
    const milestone = { contractId, milestoneIndex: '0' };
    const serviceProvider = here.seller.publicKey();
    const change = { ...milestone, newStatus: 'completed', serviceProvider };
    await here.act(`${single}/change-milestone-status`, change, here.seller);
    await here.act(`${single}/approve-milestone`, { ...milestone, approver: signer }, here.buyer);
    await here.act(`${single}/release-funds`, { contractId, releaseSigner: signer }, here.buyer);
    const topics = here.world.journal
      .entries()
      .filter((entry) => entry.contractId === contractId)
      .flatMap(({ txHash }) => here.world.ledger.find(txHash ?? '')?.events ?? [])
      .map(({ topics: [topic] }) => scValToNative(xdr.ScVal.fromXdr(topic ?? '', 'base64')));
    assert.deepEqual(topics, ['tw_init', 'tw_fund', 'tw_ms_change', 'tw_ms_approve', 'tw_release']);
  });
});
