import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrow-world.ts';

let here: EscrowWorld;
let first: string;
let second: string;
beforeEach(async () => {
  here = await openEscrowWorld();
  first = await here.deploy('single-release', here.singleBody());
  here.world.clock.advance(86_400);
  second = await here.deploy('multi-release', here.multiBody({ engagementId: 'ord_2' }));
});
afterEach(() => void here.server.close());

interface Read {
  readonly contractId: string;
  readonly balance: number;
  readonly [name: string]: unknown;
}

async function list(path: string): Promise<readonly Read[]> {
  const { status, body } = await here.get(path);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Read[];
}

async function bySigner(filter = ''): Promise<string[]> {
  const signer = here.buyer.publicKey();
  const found = await list(`/helper/get-escrows-by-signer?signer=${signer}${filter}`);
  return found.map(({ contractId }) => contractId);
}

const refusal = async (path: string) => {
  const { status, body } = await here.get(path);
  return [status, body['message']];
};

describe('an escrow that is read', () => {
  it('shows amounts as numbers in whole units and the fee in percent', async () => {
    const path = `/helper/get-escrow-by-contract-ids?contractIds[]=${first}`;
    const [read] = await list(path);
    const { roles, trustline } = here.singleBody();
    assert.ok(read);
    const { createdAt, updatedAt, ...rest } = read;
    assert.deepEqual(rest, {
      contractId: first,
      signer: here.buyer.publicKey(),
      type: 'single-release',
      engagementId: 'ord_1',
      title: 'A chair',
      description: 'Oak, four legs',
      amount: 100,
      balance: 0,
      platformFee: 5,
      receiverMemo: 0,
      roles,
      milestones: [{ description: 'whole', status: 'pending', evidence: '', approved: false }],
      flags: { disputed: false, released: false, resolved: false },
      trustline: { ...(trustline as object), name: 'USDC' },
      isActive: true,
      user: here.buyer.publicKey(),
    });
    assert.equal(typeof (createdAt as { _seconds: number })._seconds, 'number');
    assert.deepEqual(createdAt, updatedAt);
  });

  it('is refused without the brackets, and not found when it does not exist', async () => {
    const path = '/helper/get-escrow-by-contract-ids';
    const required = "The 'contractIds' parameter is required.";
    assert.deepEqual(await refusal(`${path}?contractIds=${first}`), [400, required]);
    const missing = 'CMISSING';
    assert.deepEqual(await refusal(`${path}?contractIds[]=${missing}`), [
      404,
      `No escrow found for contract ID ${missing}`,
    ]);
  });
});

describe('lists', () => {
  it('find by engagement id, type, status, title, dates and amounts', async () => {
    assert.deepEqual(await bySigner(), [second, first]);
    assert.deepEqual(await bySigner('&orderDirection=asc'), [first, second]);
    assert.deepEqual(await bySigner('&engagementId=ord_2'), [second]);
    assert.deepEqual(await bySigner('&type=single-release'), [first]);
    assert.deepEqual(await bySigner('&status=released'), []);
    assert.deepEqual(await bySigner('&status=working&pageSize=1&page=2'), [first]);
    assert.deepEqual(await bySigner(`&contractID=${first}`), [first]);
    assert.deepEqual(await bySigner('&minAmount=1&maxAmount=99'), []);
    const day = new Date(here.world.clock.now()).toISOString().slice(0, 10);
    assert.deepEqual(await bySigner(`&startDate=${day}&endDate=${day}`), [second]);
  });

  it('find by role, in the names of the API', async () => {
    const seller = here.seller.publicKey();
    const path = '/helper/get-escrows-by-role';
    const found = await list(`${path}?role=receiver&roleAddress=${seller}`);
    assert.deepEqual(
      found.map(({ contractId }) => contractId),
      [second, first],
    );
    assert.deepEqual(await list(`${path}?role=approver&roleAddress=${seller}`), []);
    const snake = await refusal(`${path}?role=service_provider&roleAddress=${seller}`);
    assert.deepEqual(snake, [500, 'Internal server error']);
  });

  it('say what is missing or too much', async () => {
    const signer = here.buyer.publicKey();
    const path = '/helper/get-escrows-by-signer';
    assert.deepEqual(await refusal(path), [400, "The 'signer' parameter is required."]);
    assert.deepEqual(await refusal(`${path}?signer=${signer}&startDate=2026-01-01`), [
      400,
      'Both startDate and endDate must be provided together.',
    ]);
    assert.deepEqual(await refusal(`${path}?signer=${signer}&role=approver`), [
      400,
      ['property role should not exist'],
    ]);
    assert.deepEqual(await refusal('/helper/get-escrows-by-role?role=approver'), [
      400,
      'The information needed to filter by role is incomplete.',
    ]);
    const role = `/helper/get-escrows-by-role?role=approver&roleAddress=${signer}`;
    assert.deepEqual(await refusal(`${role}&signer=${signer}`), [
      400,
      ['property signer should not exist'],
    ]);
  });
});

describe('balances', () => {
  it('come from the ledger, twenty at most', async () => {
    here.world.ledger.deposit(second, 'USDC', '1.5');
    const path = '/helper/get-multiple-escrow-balance';
    assert.deepEqual(await list(`${path}?addresses[]=${first}&addresses[]=${second}`), [
      { address: first, balance: 0 },
      { address: second, balance: 1.5 },
    ]);
    const many = Array.from({ length: 21 }, () => `addresses[]=${first}`).join('&');
    assert.deepEqual(await refusal(`${path}?${many}`), [
      400,
      'You have requested too many escrows',
    ]);
  });
});

describe('the vendor’s database', () => {
  // Route B: the platform submits to the ledger itself, and reports the hash to the vendor.
  it('does not list a contract deployed on the ledger until it is reported', async () => {
    const body = here.singleBody({ engagementId: 'ord_3' });
    const signed = await here.sign('/deployer/single-release', body, here.buyer);
    const outcome = here.world.ledger.submit(signed);
    assert.ok(outcome.kind === 'included' && outcome.record.isSuccessful);
    assert.deepEqual(await bySigner('&engagementId=ord_3&validateOnChain=true'), []);
    const txHash = outcome.record.hash;
    const updated = await here.call('PUT', '/indexer/update-from-txhash', { txHash });
    assert.equal(updated.body['status'], 'SUCCESS');
    assert.equal((await bySigner('&engagementId=ord_3')).length, 1);
    const shouted = { txHash: txHash.toUpperCase() };
    const again = await here.call('POST', '/indexer/update-from-txHash', shouted);
    assert.equal(again.body['status'], 'SUCCESS');
    const unknown = await here.call('PUT', '/indexer/update-from-txhash', { txHash: 'ab' });
    assert.equal(unknown.status, 404);
  });

  // The way back to the contract when the response to a deploy is lost.
  it('lists a deploy whose response was lost', async () => {
    const body = here.singleBody({ engagementId: 'ord_4' });
    const signed = await here.sign('/deployer/single-release', body, here.buyer);
    const [provider, operation] = ['escrow', 'deploy'];
    here.world.faults.arm({ provider, operation, kind: 'error-after', times: 1 });
    assert.equal((await here.send(signed)).status, 500);
    assert.equal((await bySigner('&engagementId=ord_4')).length, 1);
  });

  it('shows old balances unless the query requests a read of the ledger', async () => {
    here.world.ledger.deposit(first, 'USDC', '0.0000001');
    const path = `/helper/get-escrow-by-contract-ids?contractIds[]=${first}`;
    assert.equal((await list(path))[0]?.balance, 0);
    assert.equal((await list(`${path}&validateOnChain=true`))[0]?.balance, 0.0000001);
  });
});
