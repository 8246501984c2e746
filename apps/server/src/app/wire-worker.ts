//! Builds the parts that only the worker has: sequencer, signer, and the transaction builder.
import type { Clock } from '@holdfast/kernel/clock';
import type { Config } from '../platform/config/config.ts';
import { connectionSettings } from '../platform/database/database.ts';
import { Waker } from '../platform/process/waker.ts';
import { READINGS_SESSION, type ReadingsDeps } from '../platform/telemetry/run-readings.ts';
import type { EscrowProvider } from '../providers/escrow/escrow-provider.ts';
import type { LedgerNetwork } from '../providers/network/ledger-network.ts';
import {
  ownPayments,
  sponsoredAccounts,
  usdcTrustline,
} from '../providers/network/own-transaction.ts';
import { localKeyWrapper } from '../providers/signing/key-wrapper.ts';
import type { AccountCreator, Signer } from '../providers/signing/signer.ts';
import { vaultSigner } from '../providers/signing/signer.vault.ts';
import { type Notifier, postgresNotifier, redisNotifier } from '../record/events/notifier.ts';
import { SEQUENCER_SESSION, type SequencerDeps } from '../record/events/sequencer.ts';
import { type App, wire } from './wire.ts';

/** The parts of a worker that has a ledger network, an escrow provider and the keys to wallets. */
export interface Custody extends App {
  readonly network: LedgerNetwork;
  readonly escrows: EscrowProvider;
  readonly signer: Signer;
  readonly accountCreator: AccountCreator;
}

const FEE_STROOPS_MAX = 10_000_000n;
/** Five minutes, and one minute for clock differences: no signature is valid for longer. */
const VALIDITY_SECONDS_MAX = 360;

export interface Worker {
  readonly app: App;
  readonly custody: Custody | undefined;
  readonly sequencer: SequencerDeps;
  /** Of the metrics that one worker reads from the database. */
  readonly readings: ReadingsDeps;
  /** Wakes the jobs: called when a log grows that this worker's sequencer leads. */
  readonly waker: Waker;
}

export function wireWorker(config: Config, clock: Clock): Worker {
  const app = wire(config, 'worker', clock);
  const waker = new Waker();
  const sequencer = wireSequencer(config, app, waker);
  const readings = {
    config,
    clock,
    log: app.log,
    connection: connectionSettings(config, { session: READINGS_SESSION }),
  };
  return { app, custody: wireCustody(config, app), sequencer, readings, waker };
}

function wireSequencer(config: Config, { clock, log }: App, waker: Waker): SequencerDeps {
  const { REDIS_URL: redisUrl, HOLDFAST_CELL: cell } = config;
  const notifier = redisUrl === undefined ? postgresNotifier() : redisNotifier(redisUrl, cell, log);
  return {
    clock,
    log,
    connection: connectionSettings(config, {
      role: 'holdfast_sequencer',
      session: SEQUENCER_SESSION,
    }),
    notifier: alsoWake(waker, notifier),
    shardsMax: config.HOLDFAST_SEQUENCER_SHARDS,
  };
}

/** Wakes the jobs of this process directly; the notifier reaches the api nodes. */
function alsoWake(waker: Waker, notifier: Notifier): Notifier {
  return {
    notify: (client, notifications) => {
      waker.wake();
      return notifier.notify(client, notifications);
    },
    close: () => notifier.close(),
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
  const accountCreator = { sponsoredAccounts, usdcTrustline, ownPayments };
  return { ...app, network, escrows, signer, accountCreator };
}
