//! The client of the sandbox's controls: its clock, its faults, and the ends of pay-ins and
//! payouts.
import { CommandFault, usageFault } from '../command-fault.ts';

export interface WorldClock {
  readonly now: string;
  readonly offsetMs: number;
}

export interface ArmedFault {
  readonly provider: string;
  readonly operation: string;
  readonly kind: string;
  readonly times: number;
}

export type PayinEnd = 'CONFIRMED' | 'FAILED' | 'CANCELED';
export type PayoutEnd = 'COMPLETED' | 'FAILED' | 'CANCELED';

export interface Sandbox {
  readonly url: string;
  clock(): Promise<WorldClock>;
  advance(seconds: number): Promise<WorldClock>;
  faults(): Promise<ArmedFault[]>;
  arm(fault: Omit<ArmedFault, 'times'> & { readonly times?: number }): Promise<ArmedFault>;
  disarm(): Promise<void>;
  /** What the user does on the payment page; `code` is the top-up's id. */
  endPayin(code: string, status: PayinEnd): Promise<void>;
  endPayout(code: string, status: PayoutEnd): Promise<void>;
  /** How fast payments end by themselves; null: only by an explicit call. */
  pace(seconds: { readonly payin?: number | null; readonly payout?: number | null }): Promise<void>;
  paceNow(): Promise<{ readonly payin: number | null; readonly payout: number | null }>;
  /** Deposits new USDC to an address. */
  deposit(address: string, amount: string): Promise<void>;
}

const RESPONSE_TIMEOUT_MS = 10_000;

export function openSandbox(url: string | undefined): Sandbox {
  if (url === undefined)
    throw usageFault(
      'this command requires the sandbox',
      'start one with `holdfast dev`, or set HOLDFAST_SANDBOX_URL',
    );
  const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    callControl(url, method, path, body);
  return {
    url,
    clock: () => call('GET', '/clock'),
    advance: (seconds) => call('POST', '/clock/advance', { seconds }),
    faults: async () => (await call<{ faults: ArmedFault[] }>('GET', '/faults')).faults,
    arm: async (fault) => (await call<{ fault: ArmedFault }>('POST', '/faults', fault)).fault,
    disarm: async () => void (await call('DELETE', '/faults')),
    endPayin: async (code, status) => void (await call('POST', `/payins/${code}`, { status })),
    endPayout: async (code, status) => void (await call('POST', `/payouts/${code}`, { status })),
    pace: async ({ payin, payout }) => {
      await call('POST', '/payment', {
        ...(payin === undefined ? {} : { payinDelaySeconds: payin }),
        ...(payout === undefined ? {} : { payoutDelaySeconds: payout }),
      });
    },
    paceNow: async () => {
      const { payinDelaySeconds, payoutDelaySeconds } = await call<PaymentDelays>(
        'GET',
        '/payment',
      );
      return { payin: payinDelaySeconds, payout: payoutDelaySeconds };
    },
    deposit: async (address, amount) =>
      void (await call('POST', '/ledger/deposit', { address, asset: 'USDC', amount })),
  };
}

interface PaymentDelays {
  readonly payinDelaySeconds: number | null;
  readonly payoutDelaySeconds: number | null;
}

export async function callControl<T>(
  url: string,
  method: string,
  path: string,
  body: unknown,
): Promise<T> {
  const response = await reach(url, method, path, body);
  if (response.ok) return (await response.json()) as T;
  const exit = response.status === 404 ? 'notFound' : 'failed';
  const message = `sandbox error: ${messageIn(await response.text()) ?? response.status}`;
  throw new CommandFault(message, { exit, code: 'SANDBOX' });
}

/** A proxy before it may return anything. */
function messageIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { message?: string }).message;
  } catch {
    return undefined;
  }
}

async function reach(url: string, method: string, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(`${url}/control${path}`, {
      method,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new CommandFault(`the sandbox does not respond at ${url}`, {
      exit: 'unreachable',
      code: 'SANDBOX_UNREACHABLE',
      fix: 'check its URL, or start one with `holdfast dev`',
    });
  }
}
