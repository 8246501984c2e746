//! An external payer on the network, with XLM, USDC and a key of its own; and payments of ours that
//! were not recorded.
import {
  Account,
  Asset,
  encodeMuxedAccount,
  encodeMuxedAccountToAddress,
  Keypair,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { listHouseWallets } from '../accounts/custody/house-wallet.ts';
import type { SealedWallet } from '../providers/signing/signer.ts';
import { submit } from './parties.ts';
import type { SandboxWorld } from './sandbox-world.ts';

export interface ExternalAccount {
  readonly address: string;
  /** Sends all in one transaction, which the network must accept. */
  readonly send: (...operations: readonly xdr.Operation[]) => Promise<void>;
}

export interface ExternalPayer extends ExternalAccount {
  pay(to: string, amount: string): Promise<void>;
}

const VALID_SECONDS = 120;

/** With XLM alone. */
export async function openExternalAccount(
  world: SandboxWorld,
  xlm: string,
): Promise<ExternalAccount> {
  const keypair = Keypair.random();
  const address = keypair.publicKey();
  const send = async (...operations: readonly xdr.Operation[]) => {
    const tx = await buildFrom(world, address, operations);
    tx.sign(keypair);
    await submit(world.sandbox, tx.toXdr());
  };
  await world.sandbox.fund(address, xlm);
  return { address, send };
}

export async function openExternalPayer(world: SandboxWorld): Promise<ExternalPayer> {
  const { address, send } = await openExternalAccount(world, '1000');
  await send(Operation.changeTrust({ asset: usdcOf(world) }));
  await world.sandbox.deposit(address, 'USDC', '1000');
  const pay = (destination: string, amount: string) =>
    send(Operation.payment({ destination, asset: usdcOf(world), amount }));
  return { address, send, pay };
}

export function usdcOf({ sandbox }: SandboxWorld): Asset {
  return new Asset('USDC', sandbox.usdcIssuer);
}

export function muxedOf(address: string, id: string): string {
  return encodeMuxedAccountToAddress(encodeMuxedAccount(address, id));
}

/** From the treasury, with the right key, bypassing everything that records payments. */
export async function payFromTreasury(
  world: SandboxWorld,
  destination: string,
  amount: string,
): Promise<void> {
  const house = await listHouseWallets(world.worker.pool);
  const treasury = house.find(({ kind }) => kind === 'treasury') as SealedWallet;
  const payment = Operation.payment({ destination, asset: usdcOf(world), amount });
  const tx = await buildFrom(world, treasury.address, [payment]);
  const signed = await world.custody.signer.signOwn(tx.toXdr(), [treasury]);
  if (signed.kind !== 'done') throw new Error(signed.reason);
  await submit(world.sandbox, signed.value.xdr);
}

async function buildFrom(
  { custody, sandbox }: SandboxWorld,
  source: string,
  operations: readonly xdr.Operation[],
) {
  const account = await custody.network.account(source);
  const time = await custody.network.closeTime();
  if (account.kind !== 'done' || account.value === null || time.kind !== 'done')
    throw new Error(`${source} is not there`);
  const builder = new TransactionBuilder(new Account(source, String(account.value.sequence)), {
    fee: '100',
    networkPassphrase: sandbox.passphrase,
    timebounds: { minTime: 0, maxTime: time.value + VALID_SECONDS },
  });
  for (const operation of operations) builder.addOperation(operation);
  return builder.build();
}
