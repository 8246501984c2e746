//! A sandbox with an escrow provider on loopback, four wallets, and a platform's client.
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { VENDOR } from '../escrow/contract-address.ts';
import { serveEscrow } from '../escrow/escrow-provider.ts';
import { signHash } from '../ledger/signatures.ts';
import { openWorld, type World } from '../world.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface Wallets {
  readonly buyer: Keypair;
  readonly seller: Keypair;
  readonly platform: Keypair;
  readonly resolver: Keypair;
}

export interface EscrowWorld extends Wallets {
  readonly world: World;
  readonly server: Server;
  readonly base: string;
  call(method: string, path: string, body?: object, key?: string): Promise<Reply>;
  get(path: string): Promise<Reply>;
  /** Builds, and signs as the wallet; returns the envelope. */
  sign(path: string, body: object, wallet: Keypair, method?: string): Promise<string>;
  send(signedXdr: string): Promise<Reply>;
  /** Builds, signs and sends; fails unless the provider said SUCCESS. */
  act(path: string, body: object, wallet: Keypair, method?: string): Promise<Reply>;
  /** Deploys, and returns the contract id. */
  deploy(type: string, body: object): Promise<string>;
  singleBody(change?: object): Record<string, unknown>;
  multiBody(change?: object): Record<string, unknown>;
  usdc(holder: Keypair | string): bigint;
  effects(name: string): number;
}

export const STROOPS = 10_000_000n;

export async function openEscrowWorld(folder?: string): Promise<EscrowWorld> {
  const world = openWorld(folder === undefined ? {} : { folder });
  serveEscrow(world);
  const { server, url } = await world.router.listen(0);
  const base = `${url}/escrow-provider`;
  const wallets = createWallets(world);
  const call = async (method: string, path: string, body?: object, key = 'key') => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key !== '' && { 'x-api-key': key }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: JSON.parse(text) as Record<string, unknown> };
  };
  const sign = async (path: string, body: object, wallet: Keypair, method = 'POST') => {
    const reply = await call(method, path, body);
    assert.equal(reply.body['status'], 'SUCCESS', JSON.stringify(reply.body));
    return signXdr(world, String(reply.body['unsignedTransaction']), wallet);
  };
  const send = (signedXdr: string) => call('POST', '/helper/send-transaction', { signedXdr });
  const act = async (path: string, body: object, wallet: Keypair, method = 'POST') => {
    const reply = await send(await sign(path, body, wallet, method));
    assert.equal(reply.body['status'], 'SUCCESS', JSON.stringify(reply.body));
    return reply;
  };
  return {
    ...wallets,
    ...bodies(world, wallets),
    world,
    server,
    base,
    call,
    get: (path) => call('GET', path),
    sign,
    send,
    act,
    deploy: async (type, body) => {
      const { body: reply } = await act(`/deployer/${type}`, body, wallets.buyer);
      return String(reply['contractId']);
    },
    usdc: (holder) => world.ledger.usdcOf(typeof holder === 'string' ? holder : holder.publicKey()),
    effects: (name) => world.journal.entries().filter(({ effect }) => effect === name).length,
  };
}

function signXdr(world: World, unsigned: string, wallet: Keypair): string {
  const tx = TransactionBuilder.fromXdr(unsigned, world.ledger.network.passphrase);
  tx.addDecoratedSignature(signHash(wallet, tx.hash()));
  return tx.toXdr();
}

function createWallets({ ledger }: World): Wallets {
  const wallet = (name: string): Keypair => {
    const keypair = Keypair.fromRawEd25519Seed(Buffer.from(name.padEnd(32, '.')));
    ledger.ensureAccount(keypair.publicKey(), { hasUsdc: true });
    return keypair;
  };
  const buyer = wallet('buyer');
  if (ledger.usdcOf(buyer.publicKey()) === 0n) ledger.deposit(buyer.publicKey(), 'USDC', '1000');
  return {
    buyer,
    seller: wallet('seller'),
    platform: wallet('platform'),
    resolver: wallet('resolver'),
  };
}

function bodies({ ledger }: World, { buyer, seller, platform, resolver }: Wallets) {
  const roles = {
    approver: buyer.publicKey(),
    serviceProvider: seller.publicKey(),
    platformAddress: platform.publicKey(),
    releaseSigner: buyer.publicKey(),
    disputeResolver: resolver.publicKey(),
  };
  const receiver = seller.publicKey();
  const common = {
    signer: buyer.publicKey(),
    engagementId: 'ord_1',
    title: 'A chair',
    description: 'Oak, four legs',
    platformFee: 5,
    trustline: { address: ledger.network.issuer.publicKey(), symbol: 'USDC' },
  };
  return {
    singleBody: (change: object = {}) => ({
      ...common,
      roles: { ...roles, receiver },
      amount: 100,
      milestones: [{ description: 'whole' }],
      ...change,
    }),
    multiBody: (change: object = {}) => ({
      ...common,
      roles,
      milestones: [
        { description: 'legs', amount: 60, receiver },
        { description: 'seat', amount: 40, receiver },
      ],
      ...change,
    }),
  };
}

export const vendorAddress = VENDOR.publicKey();
