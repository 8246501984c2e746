//! The settings of a local set that uses the sandbox, and the first money for the wallets of the
//! house.
import { setTimeout as sleep } from 'node:timers/promises';
import { asAdmin } from './local-postgres.ts';
import { callControl } from './scenarios/sandbox.ts';

/** What the sandbox says when it is ready. */
export interface SandboxFacts {
  readonly listening: string;
  readonly horizon: string;
  readonly rpc: string;
  readonly escrowProvider: string;
  readonly paymentProvider: string;
  readonly checkout: string;
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  readonly escrowFactory: string;
  readonly escrowWasm: { readonly single: string; readonly multi: string };
  readonly escrowFeeAddress: string;
}

export function sandboxEnvironment(facts: SandboxFacts): Record<string, string> {
  return {
    HOLDFAST_SANDBOX_URL: facts.listening,
    HOLDFAST_HORIZON_URL: facts.horizon,
    HOLDFAST_RPC_URL: facts.rpc,
    HOLDFAST_NETWORK_PASSPHRASE: facts.networkPassphrase,
    HOLDFAST_USDC_ISSUER: facts.usdcIssuer,
    HOLDFAST_ESCROW_PROVIDER_URL: facts.escrowProvider,
    HOLDFAST_ESCROW_PROVIDER_KEY: 'sandbox',
    HOLDFAST_ESCROW_FACTORY: facts.escrowFactory,
    HOLDFAST_ESCROW_WASM_SINGLE: facts.escrowWasm.single,
    HOLDFAST_ESCROW_WASM_MULTI: facts.escrowWasm.multi,
    HOLDFAST_ESCROW_PROVIDER_FEE_ADDRESS: facts.escrowFeeAddress,
    HOLDFAST_PAYMENT_PROVIDER_URL: facts.paymentProvider,
    HOLDFAST_PAYMENT_PROVIDER_KEY: 'sandbox',
    HOLDFAST_PAYMENT_PROVIDER_SECRET: 'sandbox',
    HOLDFAST_CHECKOUT_URL: facts.checkout,
  };
}

const HOUSE_WALLETS = 10;
const TRIES_MAX = 300;
const POLL_MS = 100;
const XLM = '100000';
const TREASURY_USDC = '10000000';

/**
 * What an operator does once on a real network: first XLM for each wallet, USDC for the treasury.
 */
export async function fundHouse(sandbox: string, databaseUrl: string): Promise<void> {
  const wallets = await waitFor(databaseUrl, (all) => all.length >= HOUSE_WALLETS);
  for (const { address } of wallets)
    await callControl(sandbox, 'POST', '/ledger/fund', { address, xlm: XLM });
  const trusting = await waitFor(databaseUrl, (all) =>
    all.every(({ kind, trusted }) => kind === 'channel' || trusted),
  );
  const treasury = trusting.find(({ kind }) => kind === 'treasury');
  if (treasury === undefined) throw new Error('the worker did not create a treasury wallet');
  const deposit = { address: treasury.address, asset: 'USDC', amount: TREASURY_USDC };
  await callControl(sandbox, 'POST', '/ledger/deposit', deposit);
  // Long enough for a person, or a test, to decide otherwise.
  await callControl(sandbox, 'POST', '/payment', { payoutDelaySeconds: 5 });
}

/** Registers our webhook URLs with the sandbox, as an operator does in the providers' settings. */
export async function sendWebhooks(
  sandbox: string,
  api: string,
  secrets: { readonly escrow: string; readonly payment?: string },
): Promise<void> {
  const target = (provider: string, secret: string) => ({
    url: `${api}/api/v1/webhooks/${provider}`,
    secret,
  });
  await callControl(sandbox, 'POST', '/webhooks', {
    escrow: target('escrow-provider', secrets.escrow),
    ...(secrets.payment && { payment: target('payment-provider', secrets.payment) }),
  });
}

interface HouseWallet {
  readonly kind: string;
  readonly address: string;
  readonly trusted: boolean;
}

async function waitFor(
  databaseUrl: string,
  isThere: (wallets: HouseWallet[]) => boolean,
): Promise<HouseWallet[]> {
  return asAdmin(databaseUrl, async (client) => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const { rows } = await client.query<HouseWallet>(
        'select kind, address, trusted_at is not null as trusted from house_wallet',
      );
      if (isThere(rows)) return rows;
      await sleep(POLL_MS);
    }
    throw new Error(
      `the worker did not create the platform wallets within ${(TRIES_MAX * POLL_MS) / 1000} s`,
    );
  });
}
