import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { Store } from '../store.ts';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrow-world.ts';
import { openReceiver, type Receiver } from '../testing/receiver.ts';
import { openWorld } from '../world.ts';
import { type EscrowEvent, EVENTS } from './escrow-events.ts';
import { serveEscrow } from './escrow-provider.ts';

const secret = 'whsec_escrow';
let here: EscrowWorld;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await openReceiver();
  here = await openEscrowWorld();
  here.world.store.put('webhook-target', 'escrow', { url: receiver.url, secret });
});
afterEach(() => {
  here.server.close();
  receiver.server.close();
});

const events = () => receiver.received.map(({ json }) => json as unknown as EscrowEvent);
const single = '/escrow/single-release';
const multi = '/escrow/multi-release';

/** One after the other, so that the order in which they come says something. */
async function act(...[path, body, wallet]: Parameters<EscrowWorld['act']>): Promise<void> {
  const before = receiver.received.length;
  await here.act(path, body, wallet);
  await receiver.wait(before + 1);
}

async function deploySingle(): Promise<string> {
  const contractId = await here.deploy('single-release', here.singleBody());
  await receiver.wait(1);
  return contractId;
}

describe('webhooks of a single-release escrow', () => {
  it('are signed over the raw body and name the transaction', async () => {
    const contractId = await deploySingle();
    const [request] = receiver.received;
    assert.ok(request);
    const mac = createHmac('sha256', secret).update(request.body).digest('hex');
    assert.equal(request.headers['x-escrow-signature'], mac);
    const [deploy] = here.world.journal
      .entries()
      .filter(({ effect }) => effect === 'escrow.deploy');
    const [event] = events();
    assert.ok(event);
    const { created_at, updated_at, ...fields } = event.data;
    assert.equal(event.type, 'escrow.created');
    assert.match(event.event_id, /^evt_[0-9a-f]{32}$/);
    assert.deepEqual(fields, {
      contract_id: contractId,
      order_id: 'ord_1',
      status: 'CREATED',
      amount: '1000000000',
      currency: 'USDC',
      buyer_address: here.buyer.publicKey(),
      seller_address: here.seller.publicKey(),
      transaction_hash: deploy?.txHash,
      milestone_ref: null,
    });
    assert.equal(new Date(created_at).toISOString(), updated_at);
  });

  it('come late from a provider that does not know the contract’s id yet', async () => {
    const faulty = { provider: 'escrow', operation: 'deploy', kind: 'no-contract-id' } as const;
    here.world.faults.arm({ ...faulty, times: 1 });
    const startedAt = performance.now();
    const deploy = await here.sign('/deployer/single-release', here.singleBody(), here.buyer);
    await here.send(deploy);
    await receiver.wait(1);
    assert.ok(performance.now() - startedAt >= 1_990);
    assert.deepEqual(receiver.types(), ['escrow.created']);
  });

  it('follow it from funding to release', async () => {
    const contractId = await deploySingle();
    const { buyer, seller } = here;
    const signer = buyer.publicKey();
    await act(`${single}/fund-escrow`, { contractId, signer, amount: 40 }, buyer);
    await act(`${single}/fund-escrow`, { contractId, signer, amount: 60 }, buyer);
    const milestone = { contractId, milestoneIndex: '0' };
    const done = { newStatus: 'completed', serviceProvider: seller.publicKey() };
    await act(`${single}/change-milestone-status`, { ...milestone, ...done }, seller);
    // An approval sends no webhook.
    await here.act(`${single}/approve-milestone`, { ...milestone, approver: signer }, buyer);
    await act(`${single}/release-funds`, { contractId, releaseSigner: signer }, buyer);
    assert.deepEqual(
      events().map(({ type, data }) => [type, data.status, data.amount, data.milestone_ref]),
      [
        ['escrow.created', 'CREATED', '1000000000', null],
        ['escrow.funding_started', 'FUNDING', '400000000', null],
        ['escrow.funded', 'FUNDED', '600000000', null],
        ['escrow.milestone_completed', 'FUNDED', '1000000000', 'whole'],
        ['escrow.released', 'RELEASED', '1000000000', null],
      ],
    );
  });

  it('call it refunded only when the buyer got everything', async () => {
    const { buyer, seller, resolver } = here;
    const signer = buyer.publicKey();
    const settle = async (distributions: object[]) => {
      const before = receiver.received.length;
      const contractId = await here.deploy('single-release', here.singleBody());
      await receiver.wait(before + 1);
      await act(`${single}/fund-escrow`, { contractId, signer, amount: 100 }, buyer);
      await act(`${single}/dispute-escrow`, { contractId, signer }, buyer);
      const disputeResolver = resolver.publicKey();
      const body = { contractId, disputeResolver, distributions };
      await act(`${single}/resolve-dispute`, body, resolver);
      return receiver.types().slice(before);
    };
    const whole = await settle([{ address: signer, amount: 100 }]);
    const split = await settle([
      { address: signer, amount: 40 },
      { address: seller.publicKey(), amount: 60 },
    ]);
    const start = ['escrow.created', 'escrow.funded', 'escrow.disputed'];
    assert.deepEqual(whole, [...start, 'escrow.refunded']);
    assert.deepEqual(split, [...start, 'escrow.released']);
  });
});

describe('webhooks of a multi-release escrow', () => {
  it('report the release with the last milestone', async () => {
    const contractId = await here.deploy('multi-release', here.multiBody());
    const { buyer } = here;
    const signer = buyer.publicKey();
    await receiver.wait(1);
    await act(`${multi}/fund-escrow`, { contractId, signer, amount: 100 }, buyer);
    for (const milestoneIndex of ['0', '1']) {
      const milestone = { contractId, milestoneIndex };
      await here.act(`${multi}/approve-milestone`, { ...milestone, approver: signer }, buyer);
      const release = { ...milestone, releaseSigner: signer };
      await here.act(`${multi}/release-milestone-funds`, release, buyer);
    }
    await receiver.wait(3);
    assert.deepEqual(receiver.types(), ['escrow.created', 'escrow.funded', 'escrow.released']);
    assert.equal(events()[2]?.data.amount, '1000000000');
  });
});

describe('a webhook that meets trouble', () => {
  it('is sent again with the same event id after an error', async () => {
    receiver.statuses.push(503);
    await here.deploy('single-release', here.singleBody());
    await receiver.wait(2);
    const [first, second] = receiver.received;
    assert.equal(first?.body, second?.body);
    assert.equal(first?.headers['x-escrow-signature'], second?.headers['x-escrow-signature']);
  });

  // A crash after the ledger has kept the transaction and before the sender has kept the webhook.
  it('survives a crash between the ledger and the sender', async () => {
    await deploySingle();
    const [event] = events();
    assert.ok(event);
    using folder = mkdtempDisposableSync(join(tmpdir(), 'watcher-'));
    const crashed = new Store(folder.path);
    crashed.put('webhook-target', 'escrow', { url: receiver.url, secret });
    crashed.put(EVENTS, 'evt_left', { ...event, event_id: 'evt_left' });
    crashed.close();
    const again = openWorld({ folder: folder.path });
    // Nothing happens on the ledger that could wake the watcher up: it looks by itself.
    serveEscrow(again);
    await receiver.wait(2);
    assert.equal(events()[1]?.event_id, 'evt_left');
    assert.equal(again.store.count(EVENTS), 0);
    again.store.close();
  });
});
