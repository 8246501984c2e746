//! The sandbox as harnesses use it: its journal, its faults, its payments and its webhooks.
import { eventually } from '../../apps/server/src/testing/until.ts';
import type { JournalEntry } from '../auditor/journal.ts';

export interface WorldFault {
  readonly provider: string;
  readonly operation: string;
  readonly kind: string;
  readonly times: number;
}

const DECIDED_MS_MAX = 120_000;

export async function readJournal(sandbox: string, after = 0): Promise<JournalEntry[]> {
  const { entries } = await control<{ entries: JournalEntry[] }>(
    sandbox,
    `/journal?after=${after}`,
  );
  return entries;
}

export async function armFault(sandbox: string, fault: WorldFault): Promise<void> {
  await control(sandbox, '/faults', 'POST', fault);
}

export async function armedFaults(sandbox: string): Promise<readonly WorldFault[]> {
  return (await control<{ faults: WorldFault[] }>(sandbox, '/faults')).faults;
}

export async function clearFaults(sandbox: string): Promise<void> {
  await control(sandbox, '/faults', 'DELETE');
}

/** Payments end only as a test decides, never by themselves. */
export async function holdPayments(sandbox: string): Promise<void> {
  await control(sandbox, '/payment', 'POST', { payoutDelaySeconds: null, payinDelaySeconds: 0 });
}

/** Decides how a pay-in or a payout ends; waits until the provider has it. */
export async function decide(
  sandbox: string,
  kind: 'payins' | 'payouts',
  code: string,
  status: string,
): Promise<void> {
  const path = `/${kind}/${code}`;
  await eventually(DECIDED_MS_MAX, () => control(sandbox, path, 'POST', { status }), 250);
}

/** The payer's bank takes a confirmed pay-in back. The provider does not announce it. */
export async function reversePayin(sandbox: string, code: string): Promise<void> {
  await control(sandbox, `/payins/${code}/reverse`, 'POST', {});
}

/** The recipient's bank sends a completed payout back: the provider announces that it failed. */
export async function returnPayout(sandbox: string, code: string): Promise<void> {
  await control(sandbox, `/payouts/${code}/return`, 'POST', {});
}

/** An external payer sends USDC to an address. */
export async function depositUsdc(sandbox: string, address: string, amount: string): Promise<void> {
  await control(sandbox, '/ledger/deposit', 'POST', { address, asset: 'USDC', amount });
}

/** Sets the one clock of the sandbox and the service forward. */
export async function advanceClock(sandbox: string, seconds: number): Promise<void> {
  await control(sandbox, '/clock/advance', 'POST', { seconds });
}

export interface WebhookCounts {
  readonly sent: number;
  /** Not delivered yet, at all or again. */
  readonly pending: number;
  /** Sent more than once, although the first had arrived. */
  readonly repeated: number;
}

export async function countWebhooks(sandbox: string): Promise<WebhookCounts> {
  const { webhooks } = await control<{
    webhooks: { status: string; copies: number }[];
  }>(sandbox, '/webhooks');
  return {
    sent: webhooks.length,
    pending: webhooks.filter(({ status }) => status === 'pending').length,
    repeated: webhooks.filter(({ copies }) => copies > 1).length,
  };
}

/** The USDC balance of an address on the network, in stroops. */
export async function usdcAt(sandbox: string, address: string): Promise<bigint> {
  const response = await fetch(`${sandbox}/horizon/accounts/${address}`);
  if (!response.ok) throw new Error(`the network returned ${response.status} for ${address}`);
  const { balances } = (await response.json()) as {
    balances: { asset_code?: string; balance: string }[];
  };
  const found = balances.find(({ asset_code: code }) => code === 'USDC')?.balance;
  return BigInt((found ?? '0').replace('.', ''));
}

export async function control<T>(
  sandbox: string,
  path: string,
  method: 'GET' | 'POST' | 'DELETE' = 'GET',
  body?: object,
): Promise<T> {
  const response = await fetch(`${sandbox}/control${path}`, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (!response.ok)
    throw new Error(`sandbox returned ${response.status} for ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}
