//! The identity of this network: its passphrase, its first accounts, its USDC issuer.
import { createHash } from 'node:crypto';
import { Asset, Keypair } from '@stellar/stellar-sdk';

/** Its own, so that no signature made here is valid on a real network. */
export const SANDBOX_PASSPHRASE = 'Holdfast Sandbox Network ; 2026';

export const BASE_FEE = 100n;
export const BASE_RESERVE = 5_000_000n;
export const PROTOCOL_VERSION = 23;
/** The resource fee of every contract call, besides the base fee. */
export const RESOURCE_FEE = 50_000n;

const SHARES = ['p10', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80', 'p90', 'p95', 'p99'];
/** Fee statistics of a ledger where everybody pays the base fee. */
export const FEE_SPREAD: Readonly<Record<string, string>> = Object.fromEntries(
  ['max', 'min', 'mode', ...SHARES].map((name) => [name, String(BASE_FEE)]),
);

export interface Network {
  readonly passphrase: string;
  readonly id: Buffer;
  /** Holds all XLM at first; friendbot pays from it. */
  readonly root: Keypair;
  /** Mints USDC by paying it. */
  readonly issuer: Keypair;
  readonly usdc: Asset;
  /** USDC:G… as trustlines are filed. */
  readonly usdcKey: string;
  /** The token contract (C…) through which contracts hold USDC. */
  readonly usdcContract: string;
}

export function describeNetwork(passphrase: string): Network {
  const issuer = Keypair.fromRawEd25519Seed(sha256(`${passphrase} / USDC issuer`));
  const usdc = new Asset('USDC', issuer.publicKey());
  return {
    passphrase,
    id: sha256(passphrase),
    root: Keypair.master(passphrase),
    issuer,
    usdc,
    usdcKey: `USDC:${issuer.publicKey()}`,
    usdcContract: usdc.contractId(passphrase),
  };
}

/** A ledger's hash says nothing here but which ledger it is. */
export function ledgerHash({ id }: Network, number: number): Buffer {
  return sha256(id, String(number));
}

export function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
}
