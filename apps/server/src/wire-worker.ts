//! What only the worker has: the sequencer, the signer, and the library that builds transactions.
import type { Clock } from '@holdfast/kernel/clock';
import type { Config } from './config.ts';
import { notifyRinger, type Ringer, redisRinger } from './events/bell.ts';
import { SEQUENCER_SESSION, type SequencerParts } from './events/sequencer.ts';
import { connectionSettings } from './platform/database.ts';
import { Waker } from './platform/waker.ts';
import type { EscrowProvider } from './providers/escrow-provider.ts';
import { localKeyWrapper } from './providers/key-wrapper.ts';
import type { LedgerNetwork } from './providers/ledger-network.ts';
import { ownPayments, sponsoredAccounts, usdcTrustline } from './providers/own-transaction.ts';
import type { AccountMaker, Signer } from './providers/signer.ts';
import { vaultSigner } from './providers/signer.vault.ts';
import { type App, wire } from './wire.ts';

/** The parts of a worker that has a ledger network, an escrow provider and the keys to wallets. */
export interface Custody extends App {
  readonly network: LedgerNetwork;
  readonly escrows: EscrowProvider;
  readonly signer: Signer;
  readonly accountMaker: AccountMaker;
}

const FEE_STROOPS_MAX = 10_000_000n;
/** Five minutes, and a minute for clocks that differ: nobody has longer to use a signature. */
const VALIDITY_SECONDS_MAX = 360;

export interface Worker {
  readonly app: App;
  readonly custody: Custody | undefined;
  readonly sequencer: SequencerParts;
  /** Of the jobs: called when a log grows that this worker's sequencer leads. */
  readonly waker: Waker;
}

export function wireWorker(config: Config, clock: Clock): Worker {
  const app = wire(config, 'worker', clock);
  const waker = new Waker();
  const sequencer = wireSequencer(config, app, waker);
  return { app, custody: wireCustody(config, app), sequencer, waker };
}

function wireSequencer(config: Config, { clock, log }: App, waker: Waker): SequencerParts {
  const { REDIS_URL: redisUrl, HOLDFAST_CELL: cell } = config;
  const bell = redisUrl === undefined ? notifyRinger() : redisRinger(redisUrl, cell, log);
  return {
    clock,
    log,
    connection: connectionSettings(config, {
      role: 'holdfast_sequencer',
      session: SEQUENCER_SESSION,
    }),
    ringer: alsoWake(waker, bell),
    shardsMax: config.HOLDFAST_SEQUENCER_SHARDS,
  };
}

/** The jobs of this process hear of it at once; the api nodes by the bell. */
function alsoWake(waker: Waker, bell: Ringer): Ringer {
  return {
    ring: (client, notices) => {
      waker.wake();
      return bell.ring(client, notices);
    },
    close: () => bell.close(),
  };
}

export function wireCustody(config: Config, app: App): Custody | undefined {
  const { network, escrows } = app;
  const { HOLDFAST_WALLET_KEYS: keys } = config;
  if (network === undefined || escrows === undefined || keys === undefined) return undefined;
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
  const accountMaker = { sponsoredAccounts, usdcTrustline, ownPayments };
  return { ...app, network, escrows, signer, accountMaker };
}
