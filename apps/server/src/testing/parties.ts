//! Parties on the sandbox's network: sealed wallets with trustlines and money, and their steps with
//! the escrow provider. Code that is tested elsewhere is taken for granted here.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { Account, Asset, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk/base';
import { createLog } from '../platform/process/log.ts';
import {
  type EscrowStep,
  type EscrowTerms,
  signerOf,
} from '../providers/escrow/escrow-provider.ts';
import type { SignedEnvelope } from '../providers/network/envelope.ts';
import type { Outcome } from '../providers/outcome.ts';
import { localKeyWrapper } from '../providers/signing/key-wrapper.ts';
import type { SealedWallet, Signer } from '../providers/signing/signer.ts';
import { type SignerSettings, vaultSigner } from '../providers/signing/signer.vault.ts';
import { type Adapters, adaptersOf, type Sandbox, useSandbox } from './sandbox.ts';
import { useOpened } from './use-world.ts';

const ROLES = ['buyer', 'seller', 'platform', 'resolver'] as const;
type Role = (typeof ROLES)[number];

export const UNIT = 10_000_000n;

export interface Parties extends Readonly<Record<Role, SealedWallet>> {
  readonly sandbox: Sandbox;
  readonly adapters: Adapters;
  readonly signer: Signer;
  readonly settings: SignerSettings;
  /** Pays every fee: the others have no XLM. */
  readonly channel: SealedWallet;
  readonly terms: (changes?: Partial<EscrowTerms>) => EscrowTerms;
  readonly sign: (step: EscrowStep) => Promise<Outcome<SignedEnvelope>>;
  /** Builds, signs, sends, and notifies the provider. Returns the contract's id. */
  readonly take: (step: EscrowStep) => Promise<string>;
  /** A funded contract. */
  readonly fundedContract: (terms: EscrowTerms) => Promise<string>;
  /** A payment from the buyer to the seller, sent by the channel. */
  readonly signTransfer: (usdc: string) => Promise<Outcome<SignedEnvelope>>;
  readonly stroopsOf: (address: string) => Promise<bigint>;
}

export async function openParties(
  sandbox: Sandbox,
  options: { readonly timeoutMs?: number; readonly usdc?: string } = {},
): Promise<Parties> {
  const adapters = adaptersOf(sandbox, options);
  const settings = signerSettings(sandbox);
  const signer = vaultSigner(settings);
  const [channel, ...people] = await Promise.all(
    ['channel', ...ROLES].map(() => signer.newWallet(newId('wal', systemClock.now()))),
  );
  if (channel === undefined) throw new Error('there is a channel');
  const wallets = Object.fromEntries(
    ROLES.map((role, at) => [role, people[at]]),
  ) as unknown as Record<Role, SealedWallet>;
  const named = new Map(people.map((wallet) => [wallet.address, wallet]));
  const parties = { ...wallets, sandbox, adapters, signer, settings, channel };
  await sandbox.fund(channel.address);
  await openAccounts(parties, people);
  await sandbox.deposit(wallets.buyer.address, 'USDC', options.usdc ?? '100000');

  const sign = async (step: EscrowStep) => {
    const purpose = randomUUID();
    const wallet = named.get(signerOf(step));
    if (wallet === undefined) throw new Error('an unknown signer has no wallet');
    const built = await adapters.escrow.build(step);
    if (built.kind !== 'done') return built;
    const now = await closeTimeOf(adapters);
    const unsignedXdr = built.value.xdr;
    return signer.signStep({ wallet, step, unsignedXdr, now, purpose, feePayer: channel });
  };
  const take = async (step: EscrowStep) => {
    const signed = await sign(step);
    if (signed.kind !== 'done') throw new Error(`${step.step}: ${signed.reason}`);
    await submit(sandbox, signed.value.xdr);
    await adapters.escrow.recordTransaction(signed.value.hash);
    return contractOf(sandbox, step, signed.value.hash);
  };
  return {
    ...parties,
    sign,
    take,
    terms: (changes) => ({ ...termsOf(wallets), ...changes }),
    async fundedContract(terms) {
      const { kind, stroops } = terms;
      const signerAddress = wallets.buyer.address;
      const contractId = await take({ step: 'deploy', signer: signerAddress, terms });
      await take({ step: 'fund', kind, contractId, signer: signerAddress, stroops, terms });
      return contractId;
    },
    async signTransfer(usdc) {
      const payment = Operation.payment({
        source: wallets.buyer.address,
        destination: wallets.seller.address,
        asset: new Asset('USDC', sandbox.usdcIssuer),
        amount: usdc,
      });
      return signOwn(parties, [payment], [wallets.buyer]);
    },
    async stroopsOf(address) {
      const account = await adapters.network.account(address);
      if (account.kind !== 'done') throw new Error(account.reason);
      return account.value?.assets.find(({ code }) => code === 'USDC')?.stroops ?? 0n;
    },
  };
}

export function useParties(): { readonly sandbox: Sandbox; readonly parties: Parties } {
  const sandbox = useSandbox();
  return { sandbox, parties: useOpened(() => openParties(sandbox)) };
}

function signerSettings({ contracts, passphrase, usdcIssuer }: Sandbox): SignerSettings {
  return {
    ...contracts,
    passphrase,
    usdcIssuer,
    maxFeeStroops: 1_000_000n,
    maxValiditySeconds: 300,
    keyWrapper: localKeyWrapper(`v1:${Buffer.alloc(32, 7).toString('base64')}`),
    log: createLog('silent', 'test'),
  };
}

function termsOf({ buyer, seller, platform, resolver }: Record<Role, SealedWallet>): EscrowTerms {
  return {
    kind: 'single-release',
    engagementId: newId('ord', systemClock.now()),
    title: 'A table',
    description: 'Oak, two metres',
    roles: {
      approver: buyer.address,
      serviceProvider: seller.address,
      platformAddress: platform.address,
      releaseSigner: buyer.address,
      disputeResolver: resolver.address,
      receiver: seller.address,
    },
    stroops: 100n * UNIT,
    feeBasisPoints: 500n,
    milestones: [{ description: 'Delivery', stroops: 100n * UNIT }],
  };
}

export async function closeTimeOf({ network }: Adapters): Promise<number> {
  const time = await network.closeTime();
  if (time.kind !== 'done') throw new Error(time.reason);
  return time.value;
}

type SubmitContext = Pick<Parties, 'sandbox' | 'adapters' | 'signer' | 'channel'>;

/** Signed by the channel, which sends it, and by every party in it. */
async function signOwn(
  { sandbox, adapters, signer, channel }: SubmitContext,
  operations: readonly xdr.Operation[],
  others: readonly SealedWallet[],
): Promise<Outcome<SignedEnvelope>> {
  const account = await adapters.network.account(channel.address);
  if (account.kind !== 'done' || account.value === null) throw new Error('there is no channel');
  const source = new Account(channel.address, String(account.value.sequence));
  const builder = new TransactionBuilder(source, {
    fee: '100',
    networkPassphrase: sandbox.passphrase,
    timebounds: { minTime: 0, maxTime: (await closeTimeOf(adapters)) + 120 },
  });
  for (const operation of operations) builder.addOperation(operation);
  return signer.signOwn(builder.build().toXdr(), [channel, ...others]);
}

/** Accounts without XLM, with a trustline: all in one transaction that all of them sign. */
async function openAccounts(
  context: SubmitContext,
  people: readonly SealedWallet[],
): Promise<void> {
  const { sandbox } = context;
  const asset = new Asset('USDC', sandbox.usdcIssuer);
  const operations = people.flatMap(({ address }) => [
    Operation.beginSponsoringFutureReserves({ sponsoredId: address }),
    Operation.createAccount({ destination: address, startingBalance: '0' }),
    Operation.changeTrust({ asset, source: address }),
    Operation.endSponsoringFutureReserves({ source: address }),
  ]);
  const signed = await signOwn(context, operations, people);
  if (signed.kind !== 'done') throw new Error(signed.reason);
  await submit(sandbox, signed.value.xdr);
}

/** Straight to the network: the signed transaction is not under test here. */
export async function submit({ url }: Sandbox, xdr: string): Promise<void> {
  const body = new URLSearchParams({ tx: xdr });
  const response = await fetch(`${url}/horizon/transactions`, { method: 'POST', body });
  if (!response.ok) throw new Error(`the network refused: ${await response.text()}`);
}

/** The contract of a step; for a deployment, the one in the journal. */
async function contractOf(sandbox: Sandbox, step: EscrowStep, hash: string): Promise<string> {
  if (step.step !== 'deploy') return step.contractId;
  const found = (await sandbox.journal()).find(({ txHash }) => txHash === hash);
  if (found?.contractId === undefined) throw new Error('the journal shows no deployment');
  return found.contractId;
}
