//! One sandbox for one test file: providers and network, their controls, and adapters that call
//! them.
import { createHash } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/clock';
import { Keypair } from '@stellar/stellar-sdk/base';
import { startWorld } from '../../../sandbox/src/start-world.ts';
import { createLog, type Log } from '../platform/process/log.ts';
import { httpEscrowProvider } from '../providers/escrow/escrow-provider.http.ts';
import type { EscrowProvider } from '../providers/escrow/escrow-provider.ts';
import type { ContractSettings } from '../providers/escrow/expected-contract-call.ts';
import { httpLedgerNetwork } from '../providers/network/ledger-network.http.ts';
import type { LedgerNetwork } from '../providers/network/ledger-network.ts';
import { encodeStrKey } from '../providers/network/strkey.ts';
import { httpPaymentProvider } from '../providers/payments/payment-provider.http.ts';
import type { PaymentProvider } from '../providers/payments/payment-provider.ts';
import { useOpened } from './use-world.ts';

export interface JournalEntry {
  readonly seq: number;
  readonly effect: string;
  readonly orderId?: string;
  readonly code?: string;
  readonly contractId?: string;
  readonly txHash?: string;
  readonly amount?: string;
  readonly milestoneIndex?: number;
  readonly to?: string;
}

export interface Sandbox {
  readonly url: string;
  readonly passphrase: string;
  readonly usdcIssuer: string;
  readonly contracts: ContractSettings;
  arm(provider: string, operation: string, kind: string, times?: number): Promise<void>;
  clearFaults(): Promise<void>;
  /** Every effect after a position, in order. */
  journal(after?: number): Promise<JournalEntry[]>;
  deposit(address: string, asset: 'USDC' | 'XLM', amount: string): Promise<void>;
  /** Creates an account with XLM, or adds to it. */
  fund(address: string, xlm?: string): Promise<void>;
  /** Moves the sandbox's clock, and with it the network's. */
  advance(seconds: number): Promise<void>;
  setPayin(code: string, status: string): Promise<void>;
  setPayout(code: string, status: string): Promise<void>;
  control(method: string, path: string, body?: object): Promise<unknown>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs in the process of the test, with a state of its own, reached over HTTP as usual. This saves
 * the second that a process takes to start.
 */
export async function openSandbox(): Promise<Sandbox> {
  const { url, stop } = await startWorld();
  const control = (method: string, path: string, body?: object) => send(url, method, path, body);
  return {
    url,
    ...describeNetwork(),
    control,
    arm: async (provider, operation, kind, times = 1) => {
      await control('POST', '/faults', { provider, operation, kind, times });
    },
    clearFaults: async () => void (await control('DELETE', '/faults')),
    journal: async (after = 0) => {
      const { entries } = (await control('GET', `/journal?after=${after}`)) as {
        entries: JournalEntry[];
      };
      return entries;
    },
    deposit: async (address, asset, amount) => {
      await control('POST', '/ledger/deposit', { address, asset, amount });
    },
    fund: async (address, xlm = '10000') => {
      await control('POST', '/ledger/fund', { address, xlm });
    },
    advance: async (seconds) => void (await control('POST', '/clock/advance', { seconds })),
    setPayin: async (code, status) => void (await control('POST', `/payins/${code}`, { status })),
    setPayout: async (code, status) => void (await control('POST', `/payouts/${code}`, { status })),
    reset: async () => void (await control('POST', '/reset', {})),
    stop,
  };
}

/** One for the tests of a file. */
export function useSandbox(): Sandbox {
  return useOpened(async () => {
    const sandbox = await openSandbox();
    return { ...sandbox, close: () => sandbox.stop() };
  });
}

async function send(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/control${path}`, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Repeated here and not imported, as an operator would write it into the configuration. */
function describeNetwork(): Pick<Sandbox, 'passphrase' | 'usdcIssuer' | 'contracts'> {
  const passphrase = 'Holdfast Sandbox Network ; 2026';
  const key = (text: string) => Keypair.fromRawEd25519Seed(sha256(text)).publicKey();
  const code = (kind: string) => sha256(`Holdfast sandbox / ${kind} escrow code`).toString('hex');
  return {
    passphrase,
    usdcIssuer: key(`${passphrase} / USDC issuer`),
    contracts: {
      factory: encodeStrKey('contract', sha256('Holdfast sandbox / escrow factory')),
      wasmHashes: {
        'single-release': code('single-release'),
        'multi-release': code('multi-release'),
      },
      providerFeeAddress: key('Holdfast sandbox / escrow vendor'),
    },
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export interface Adapters {
  readonly escrow: EscrowProvider;
  readonly payments: PaymentProvider;
  readonly network: LedgerNetwork;
}

/** A short time-out turns a slow reply into a lost one without waiting for it. */
export function adaptersOf(
  { url, passphrase, usdcIssuer }: Sandbox,
  { timeoutMs = 10_000, log = createLog('silent', 'test') }: { timeoutMs?: number; log?: Log } = {},
): Adapters {
  const common = { perMinute: null, clock: systemClock, log };
  return {
    escrow: httpEscrowProvider({
      ...common,
      baseUrl: `${url}/escrow-provider`,
      apiKey: 'a key for tests',
      usdcIssuer,
      buildTimeoutMs: timeoutMs,
      readTimeoutMs: timeoutMs,
    }),
    payments: httpPaymentProvider({
      ...common,
      baseUrl: `${url}/payment-provider/v2`,
      apiKey: 'key',
      secretKey: 'secret',
      checkoutUrlTemplate: `${url}/payin/{id}`,
      hasBankPayouts: true,
      reversedStatuses: ['REVERSED'],
      timeoutMs,
    }),
    network: httpLedgerNetwork({
      ...common,
      baseUrl: `${url}/horizon`,
      rpcUrl: `${url}/rpc`,
      passphrase,
      usdcIssuer,
      sendTimeoutMs: timeoutMs,
      readTimeoutMs: timeoutMs,
    }),
  };
}
