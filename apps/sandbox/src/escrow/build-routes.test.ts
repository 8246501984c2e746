import assert from 'node:assert/strict';
import {
  type Operation,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type EscrowWorld, openEscrowWorld, vendorAddress } from '../testing/escrow-world.ts';
import { deriveContractId, FACTORY, WASM_HASH } from './contract-address.ts';

let here: EscrowWorld;
beforeAll(async () => {
  here = await openEscrowWorld();
});
afterAll(() => void here.server.close());

interface Built {
  readonly tx: Transaction;
  readonly contractId: string;
  readonly functionName: string;
  readonly args: readonly xdr.ScVal[];
  readonly auth: readonly xdr.SorobanAuthorizationEntry[];
}

async function build(path: string, body: object, method = 'POST'): Promise<Built> {
  const reply = await here.call(method, path, body);
  assert.equal(reply.body['status'], 'SUCCESS', JSON.stringify(reply.body));
  const { passphrase } = here.world.ledger.network;
  const tx = TransactionBuilder.fromXdr(String(reply.body['unsignedTransaction']), passphrase);
  const [operation] = (tx as Transaction).operations as [Operation.InvokeHostFunction];
  assert.equal(operation.type, 'invokeHostFunction');
  const { func, auth = [] } = operation;
  assert.ok(func.type === 'hostFunctionTypeInvokeContract');
  const { contractAddress, functionName, args } = func.invokeContract;
  const contractId = String(scValToNative(xdr.ScVal.scvAddress(contractAddress)));
  return { tx: tx as Transaction, contractId, functionName: functionName.toString(), args, auth };
}

const typesOf = ({ args }: Built) => args.map(({ type }) => type.replace('scv', ''));
const valuesOf = ({ args }: Built) => args.map((arg) => scValToNative(arg) as unknown);

describe('a deploy transaction', () => {
  it('names the contract before it is sent: factory and salt stand in it', async () => {
    const built = await build('/deployer/single-release', here.singleBody());
    assert.equal(built.contractId, FACTORY);
    assert.equal(built.functionName, 'tw_new_single_release_escrow');
    assert.deepEqual(typesOf(built), ['Address', 'Bytes', 'Bytes', 'Symbol', 'Vec', 'Vec']);
    const [signer, wasm, salt, init, initArgs, constructorArgs] = valuesOf(built);
    assert.equal(signer, here.buyer.publicKey());
    assert.deepEqual(Buffer.from(wasm as Uint8Array), WASM_HASH['single-release']);
    assert.equal(init, 'initialize_escrow');
    assert.equal((initArgs as unknown[]).length, 1);
    assert.deepEqual(constructorArgs, []);
    const { passphrase } = here.world.ledger.network;
    const expected = deriveContractId(passphrase, FACTORY, salt as Uint8Array);
    const signed = await here.sign('/deployer/single-release', here.singleBody(), here.buyer);
    const sent = here.world.ledger.read(signed).call?.args[2];
    const reply = await here.send(signed);
    const actual = deriveContractId(
      passphrase,
      FACTORY,
      scValToNative(sent as xdr.ScVal) as Buffer,
    );
    assert.equal(reply.body['contractId'], actual);
    assert.notEqual(expected, actual);
  });

  it('says the whole escrow, in stroops and basis points', async () => {
    const built = await build('/deployer/single-release', here.singleBody({ platformFee: 2.5 }));
    const [escrow] = valuesOf(built)[4] as Record<string, unknown>[];
    const { roles } = here.singleBody() as { roles: Record<string, string> };
    assert.deepEqual(escrow, {
      amount: 1_000_000_000n,
      description: 'Oak, four legs',
      engagement_id: 'ord_1',
      flags: { disputed: false, released: false, resolved: false },
      milestones: [{ approved: false, description: 'whole', evidence: '', status: 'pending' }],
      platform_fee: 250,
      receiver_memo: 0n,
      roles: {
        approver: roles['approver'],
        dispute_resolver: roles['disputeResolver'],
        platform_address: roles['platformAddress'],
        receiver: roles['receiver'],
        release_signer: roles['releaseSigner'],
        service_provider: roles['serviceProvider'],
      },
      title: 'A chair',
      trustline: { address: here.world.ledger.network.usdcContract },
    });
  });

  it('gives each milestone of a multi-release its amount, receiver and flags', async () => {
    const built = await build('/deployer/multi-release', here.multiBody());
    assert.equal(built.functionName, 'tw_new_multi_release_escrow');
    const [escrow = {}] = valuesOf(built)[4] as Record<string, unknown>[];
    assert.deepEqual(Object.keys(escrow), [
      ...['description', 'engagement_id', 'milestones', 'platform_fee', 'receiver_memo'],
      ...['roles', 'title', 'trustline'],
    ]);
    const roles = escrow['roles'] as Record<string, string>;
    assert.equal(roles['platform'], here.platform.publicKey());
    assert.deepEqual((escrow['milestones'] as unknown[])[1], {
      amount: 400_000_000n,
      description: 'seat',
      evidence: '',
      flags: { approved: false, disputed: false, released: false, resolved: false },
      receiver: here.seller.publicKey(),
      status: 'pending',
    });
  });
});

describe('every transaction', () => {
  it('has the wallet’s next number, is valid for five minutes, and only its source authorises it', async () => {
    const built = await build('/deployer/single-release', here.singleBody());
    const { tx, auth } = built;
    const account = here.world.ledger.account(here.buyer.publicKey());
    assert.equal(tx.source, here.buyer.publicKey());
    assert.equal(tx.sequence, String((account?.sequence ?? 0n) + 1n));
    const { closeTime } = here.world.ledger.head();
    const left = Number(tx.timeBounds?.maxTime) - closeTime;
    assert.ok(left > 290 && left <= 300, `${left} seconds left`);
    assert.equal(tx.signatures.length, 0);
    assert.deepEqual(
      auth.map(({ credentials }) => credentials.type),
      ['sorobanCredentialsSourceAccount'],
    );
    assert.ok(BigInt(tx.fee) > 100n, 'the resource fee is part of the fee');
  });

  it('lives as long as the settings say', async () => {
    here.world.store.put('settings', 'escrow', { validSeconds: 30 });
    const { tx } = await build('/deployer/single-release', here.singleBody());
    here.world.store.put('settings', 'escrow', null);
    const left = Number(tx.timeBounds?.maxTime) - here.world.ledger.head().closeTime;
    assert.ok(left > 20 && left <= 30, `${left} seconds left`);
  });
});

describe('the arguments of a single-release call', () => {
  const single = '/escrow/single-release';
  let contractId: string;
  const keys = () => ({
    buyer: here.buyer.publicKey(),
    seller: here.seller.publicKey(),
    resolver: here.resolver.publicKey(),
  });

  beforeAll(async () => {
    contractId = await here.deploy('single-release', here.singleBody());
  });

  it('fund: signer, the escrow it expects, stroops', async () => {
    const body = { contractId, signer: keys().buyer, amount: 100.5 };
    const built = await build(`${single}/fund-escrow`, body);
    assert.equal(built.functionName, 'fund_escrow');
    assert.equal(built.contractId, contractId);
    assert.deepEqual(typesOf(built), ['Address', 'Map', 'I128']);
    assert.equal(valuesOf(built)[2], 1_005_000_000n);
  });

  it('status: index, status, evidence or nothing, service provider', async () => {
    const body = {
      contractId,
      milestoneIndex: '0',
      newStatus: 'completed',
      serviceProvider: keys().seller,
    };
    const without = await build(`${single}/change-milestone-status`, body);
    assert.deepEqual(typesOf(without), ['I128', 'String', 'Void', 'Address']);
    const full = { ...body, newEvidence: 'photo' };
    const built = await build(`${single}/change-milestone-status`, full);
    assert.deepEqual(typesOf(built), ['I128', 'String', 'String', 'Address']);
    assert.deepEqual(valuesOf(built), [0n, 'completed', 'photo', keys().seller]);
  });

  it('approve, release, dispute and resolve', async () => {
    const { buyer, seller, resolver } = keys();
    await here.act(`${single}/fund-escrow`, { contractId, signer: buyer, amount: 100 }, here.buyer);
    const approve = { contractId, milestoneIndex: '0', approver: buyer };
    assert.deepEqual(valuesOf(await build(`${single}/approve-milestone`, approve)), [0n, buyer]);
    await here.act(`${single}/approve-milestone`, approve, here.buyer);
    const release = await build(`${single}/release-funds`, { contractId, releaseSigner: buyer });
    assert.deepEqual(valuesOf(release), [buyer, vendorAddress]);
    const dispute = await build(`${single}/dispute-escrow`, { contractId, signer: buyer });
    assert.deepEqual(valuesOf(dispute), [buyer]);
    await here.act(`${single}/dispute-escrow`, { contractId, signer: buyer }, here.buyer);
    const distributions = [
      { address: seller, amount: 60 },
      { address: buyer, amount: 40 },
    ];
    const body = { contractId, disputeResolver: resolver, distributions };
    const resolve = await build(`${single}/resolve-dispute`, body);
    assert.deepEqual(typesOf(resolve), ['Address', 'Address', 'Map']);
    assert.deepEqual(valuesOf(resolve), [
      resolver,
      vendorAddress,
      { [seller]: 600_000_000n, [buyer]: 400_000_000n },
    ]);
  });

  it('extend and update, which only the platform may do', async () => {
    const platformAddress = here.platform.publicKey();
    const targetDate = new Date(here.world.clock.now() + 50_000).toISOString();
    const extend = { contractId, platformAddress, targetDate };
    const built = await build(`${single}/extend-ttl`, extend);
    assert.equal(built.functionName, 'extend_contract_ttl');
    assert.deepEqual(typesOf(built), ['Address', 'U32']);
    const fresh = await here.deploy('single-release', here.singleBody());
    const { signer: _, ...escrow } = here.singleBody({ title: 'A table' });
    const body = { contractId: fresh, signer: platformAddress, escrow };
    const reply = await here.act(`${single}/update-escrow`, body, here.platform, 'PUT');
    assert.equal((reply.body['escrow'] as { title: string }).title, 'A table');
  });
});

describe('the arguments of a multi-release call', () => {
  const multi = '/escrow/multi-release';

  it('puts the index where the contract has it, as i128 or as u32', async () => {
    const contractId = await here.deploy('multi-release', here.multiBody());
    const [buyer, resolver] = [here.buyer.publicKey(), here.resolver.publicKey()];
    await here.act(`${multi}/fund-escrow`, { contractId, signer: buyer, amount: 100 }, here.buyer);
    const milestone = { contractId, milestoneIndex: '1' };
    const approve = { ...milestone, approver: buyer };
    await here.act(`${multi}/approve-milestone`, approve, here.buyer);
    const release = { ...milestone, releaseSigner: buyer };
    const released = await build(`${multi}/release-milestone-funds`, release);
    assert.deepEqual(typesOf(released), ['Address', 'Address', 'U32']);
    assert.deepEqual(valuesOf(released), [buyer, vendorAddress, 1]);
    const dispute = { ...milestone, signer: buyer };
    const disputed = await build(`${multi}/dispute-milestone`, dispute);
    assert.deepEqual(typesOf(disputed), ['I128', 'Address']);
    await here.act(`${multi}/dispute-milestone`, dispute, here.buyer);
    const distributions = [{ address: buyer, amount: 40 }];
    const resolve = { ...milestone, disputeResolver: resolver, distributions };
    const resolved = await build(`${multi}/resolve-milestone-dispute`, resolve);
    assert.deepEqual(typesOf(resolved), ['Address', 'U32', 'Address', 'Map']);
    assert.deepEqual(valuesOf(resolved), [resolver, 1, vendorAddress, { [buyer]: 400_000_000n }]);
  });
});

describe('set-trustline', () => {
  it('builds a changeTrust for the account to sign', async () => {
    const address = here.buyer.publicKey();
    const assetAddress = here.world.ledger.network.issuer.publicKey();
    const reply = await here.call('POST', '/helper/set-trustline', { address, assetAddress });
    const { passphrase } = here.world.ledger.network;
    const tx = TransactionBuilder.fromXdr(String(reply.body['unsignedTransaction']), passphrase);
    assert.deepEqual(
      (tx as Transaction).operations.map(({ type }) => type),
      ['changeTrust'],
    );
  });
});
