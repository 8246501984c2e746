//! Steers the pretend world: its clock, its faults, and how pay-ins and pay-outs end.
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
  /** What the user does on the pay page; `code` is the top-up's id. */
  endPayin(code: string, status: PayinEnd): Promise<void>;
  endPayout(code: string, status: PayoutEnd): Promise<void>;
  /** How fast things happen by themselves; null: only when told to. */
  pace(seconds: { readonly payin?: number | null; readonly payout?: number | null }): Promise<void>;
  paceNow(): Promise<{ readonly payin: number | null; readonly payout: number | null }>;
  /** USDC out of nowhere, to an address. */
  deposit(address: string, amount: string): Promise<void>;
}

const ANSWER_MS_MAX = 10_000;

export function openSandbox(url: string | undefined): Sandbox {
  if (url === undefined)
    throw usageFault(
      'this needs the sandbox, and none is known here',
      'it runs with `holdfast dev`; for one elsewhere set HOLDFAST_SANDBOX_URL',
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

async function callControl<T>(
  url: string,
  method: string,
  path: string,
  body: unknown,
): Promise<T> {
  const answer = await reach(url, method, path, body);
  const told = (await answer.json()) as T & { readonly message?: string };
  if (answer.ok) return told;
  const exit = answer.status === 404 ? 'notFound' : 'failed';
  throw new CommandFault(`the sandbox refused: ${told.message}`, { exit, code: 'SANDBOX' });
}

async function reach(url: string, method: string, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(`${url}/control${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new CommandFault(`the sandbox does not answer at ${url}`, {
      exit: 'unreachable',
      code: 'SANDBOX_UNREACHABLE',
      cure: 'start it with `holdfast dev`',
    });
  }
}
