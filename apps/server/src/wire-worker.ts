//! What only the worker has: the signer, and the library that builds transactions.
import type { Clock } from '@holdfast/kernel/clock';
import type { Config } from './config.ts';
import { localKeyWrapper } from './providers/key-wrapper.ts';
import type { LedgerNetwork } from './providers/ledger-network.ts';
import { sponsoredAccounts, usdcTrustline } from './providers/own-transaction.ts';
import type { AccountMaker, Signer } from './providers/signer.ts';
import { vaultSigner } from './providers/signer.vault.ts';
import { type App, wire } from './wire.ts';

/** The parts of a worker that has a ledger network and the keys to its wallets. */
export interface Custody extends App {
  readonly network: LedgerNetwork;
  readonly signer: Signer;
  readonly accountMaker: AccountMaker;
}

const FEE_STROOPS_MAX = 10_000_000n;
/** Five minutes, and a minute for clocks that differ: nobody has longer to use a signature. */
const VALIDITY_SECONDS_MAX = 360;

export function wireWorker(
  config: Config,
  clock: Clock,
): { app: App; custody: Custody | undefined } {
  const app = wire(config, 'worker', clock);
  return { app, custody: wireCustody(config, app) };
}

export function wireCustody(config: Config, app: App): Custody | undefined {
  const { network } = app;
  const { HOLDFAST_WALLET_KEYS: keys } = config;
  if (network === undefined || keys === undefined) return undefined;
  const signer = vaultSigner({
    passphrase: network.passphrase,
    usdcIssuer: network.usdcIssuer,
    keyWrapper: localKeyWrapper(keys),
    log: app.log,
    maxFeeStroops: FEE_STROOPS_MAX,
    maxValiditySeconds: VALIDITY_SECONDS_MAX,
    factory: config.HOLDFAST_ESCROW_FACTORY ?? '',
    wasmHashes: {
      'single-release': config.HOLDFAST_ESCROW_WASM_SINGLE ?? '',
      'multi-release': config.HOLDFAST_ESCROW_WASM_MULTI ?? '',
    },
    providerFeeAddress: config.HOLDFAST_ESCROW_PROVIDER_FEE_ADDRESS ?? null,
  });
  return { ...app, network, signer, accountMaker: { sponsoredAccounts, usdcTrustline } };
}
