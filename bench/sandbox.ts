//! `npm run bench:sandbox`: how many order lives a minute the sandbox handles, so that it never
//! limits our own load tests. A life is deploy, fund and the three calls of a release.
import { createPrivateKey, sign } from 'node:crypto';
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import type { SandboxFacts } from '../apps/cli/src/local-world.ts';
import { startServerProcess } from '../apps/cli/src/server-process.ts';
import { createTemporaryFolder } from '../apps/cli/src/temporary-folder.ts';
import { count, flag, type OptionsOf } from '../tests/harness/options.ts';
import { print } from '../tests/harness/report.ts';
import { type Outcome, runBench } from './harness/verdict.ts';

const TARGET_PER_MINUTE = 600;
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const options = {
  seconds: count('measured seconds', { full: 20, quick: 2 }),
  lanes: count('order lives at once', { full: 8 }),
  quick: flag('a short run, which is not held to the target'),
  strict: flag('exit 1 when the target is missed; always so without --quick'),
};

/** Signs with node:crypto: the library's own signatures would be what is measured. */
class Party {
  readonly address: string;
  readonly #key: ReturnType<typeof createPrivateKey>;

  constructor() {
    const pair = Keypair.random();
    this.address = pair.publicKey();
    const der = Buffer.concat([PKCS8_HEAD, pair.rawSecretKey()]);
    this.#key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }

  sign(xdr: string, passphrase: string): string {
    const transaction = TransactionBuilder.fromXdr(xdr, passphrase);
    const signature = sign(null, transaction.hash(), this.#key);
    transaction.addSignature(this.address, signature.toString('base64'));
    return transaction.toXdr();
  }
}

interface Sent {
  readonly status: string;
  readonly contractId?: string;
}

class World {
  readonly facts: SandboxFacts;

  constructor(facts: SandboxFacts) {
    this.facts = facts;
  }

  async control(path: string, body: object): Promise<void> {
    await this.#post(`${this.facts.listening}/control${path}`, body);
  }

  /**
   * Has a step built, signs it and sends it through the provider; a deployment returns its
   * contract.
   */
  async step(path: string, body: object, signer: Party): Promise<string> {
    const built = (await this.#provider(path, body)) as { unsignedTransaction: string };
    const signedXdr = signer.sign(built.unsignedTransaction, this.facts.networkPassphrase);
    const sent = (await this.#provider('/helper/send-transaction', { signedXdr })) as Sent;
    if (sent.status !== 'SUCCESS') throw new Error(`${path}: ${JSON.stringify(sent)}`);
    return sent.contractId ?? '';
  }

  #provider(path: string, body: object): Promise<unknown> {
    return this.#post(`${this.facts.escrowProvider}${path}`, body);
  }

  async #post(url: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json', 'x-api-key': 'bench' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }
}

interface Lane {
  readonly buyer: Party;
  readonly seller: Party;
  readonly platform: Party;
  readonly resolver: Party;
}

async function openLane(world: World): Promise<Lane> {
  const lane = {
    buyer: new Party(),
    seller: new Party(),
    platform: new Party(),
    resolver: new Party(),
  };
  for (const party of Object.values(lane)) {
    await world.control('/ledger/fund', { address: party.address, xlm: '100000' });
    const trust = { address: party.address, assetAddress: world.facts.usdcIssuer };
    await world.step('/helper/set-trustline', trust, party);
  }
  await world.control('/ledger/deposit', {
    address: lane.buyer.address,
    asset: 'USDC',
    amount: '10000000',
  });
  return lane;
}

async function live(
  world: World,
  { buyer, seller, platform, resolver }: Lane,
  engagementId: string,
): Promise<void> {
  const contractId = await world.step(
    '/deployer/single-release',
    {
      signer: buyer.address,
      engagementId,
      title: 'Bench',
      description: 'An order life',
      amount: 100,
      platformFee: 5,
      roles: {
        approver: buyer.address,
        serviceProvider: seller.address,
        platformAddress: platform.address,
        releaseSigner: buyer.address,
        disputeResolver: resolver.address,
        receiver: seller.address,
      },
      milestones: [{ description: 'All of it' }],
      trustline: { address: world.facts.usdcIssuer, symbol: 'USDC' },
    },
    buyer,
  );
  const escrow = '/escrow/single-release';
  await world.step(
    `${escrow}/fund-escrow`,
    { contractId, signer: buyer.address, amount: 100 },
    buyer,
  );
  await world.step(
    `${escrow}/change-milestone-status`,
    {
      contractId,
      milestoneIndex: '0',
      newStatus: 'completed',
      newEvidence: 'done',
      serviceProvider: seller.address,
    },
    seller,
  );
  await world.step(
    `${escrow}/approve-milestone`,
    { contractId, milestoneIndex: '0', approver: buyer.address },
    buyer,
  );
  await world.step(`${escrow}/release-funds`, { contractId, releaseSigner: buyer.address }, buyer);
}

async function benchSandbox(values: OptionsOf<typeof options>): Promise<Outcome> {
  await using cleanup = new AsyncDisposableStack();
  const { path } = cleanup.use(createTemporaryFolder('holdfast-bench'));
  const args = ['--port', '0', '--data', path];
  const sandbox = await startServerProcess('sandbox', {}, 'inherit', args);
  cleanup.defer(() => sandbox.kill('SIGTERM'));
  const world = new World(sandbox.readyInfo as unknown as SandboxFacts);
  const perMinute = await measure(world, values);
  const target = { name: 'order lives a minute', figure: perMinute, least: TARGET_PER_MINUTE };
  return { targets: [target], faults: [], isBinding: !values.quick };
}

async function measure(world: World, values: OptionsOf<typeof options>): Promise<number> {
  const lanes = await Promise.all(Array.from({ length: values.lanes }, () => openLane(world)));
  const startedAt = performance.now();
  const deadline = startedAt + values.seconds * 1000;
  let lives = 0;
  const runLane = async (lane: Lane, number: number) => {
    for (let round = 0; performance.now() < deadline; round += 1) {
      await live(world, lane, `ord_bench_${number}_${round}`);
      lives += 1;
    }
  };
  await Promise.all(lanes.map(runLane));
  print(`${lives} order lives in ${values.seconds} s over ${lanes.length} lanes`);
  return (lives * 60_000) / (performance.now() - startedAt);
}

await runBench({ name: 'npm run bench:sandbox', options }, benchSandbox);
