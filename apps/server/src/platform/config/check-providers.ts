//! Whether a process in production has all that its providers need. With half of the settings it
//! would start without the provider, and the first order would be the one to find out.
import { type Process, SERVING } from './settings.ts';

type Given = Readonly<Record<string, string | undefined>>;

/** By the URL that adds a provider: what it cannot work without. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  HOLDFAST_HORIZON_URL: ['HOLDFAST_NETWORK_PASSPHRASE', 'HOLDFAST_USDC_ISSUER'],
  HOLDFAST_ESCROW_PROVIDER_URL: [
    'HOLDFAST_ESCROW_PROVIDER_KEY',
    'HOLDFAST_HORIZON_URL',
    'HOLDFAST_RPC_URL',
  ],
  HOLDFAST_PAYMENT_PROVIDER_URL: [
    'HOLDFAST_PAYMENT_PROVIDER_KEY',
    'HOLDFAST_PAYMENT_PROVIDER_SECRET',
    'HOLDFAST_CHECKOUT_URL',
  ],
};

/** Workers alone sign. */
const NEEDED_TO_SIGN: typeof NEEDED = {
  HOLDFAST_ESCROW_PROVIDER_URL: [
    'HOLDFAST_WALLET_KEYS',
    'HOLDFAST_ESCROW_FACTORY',
    'HOLDFAST_ESCROW_WASM_SINGLE',
    'HOLDFAST_ESCROW_WASM_MULTI',
  ],
};

/** The value that `holdfast secrets` writes for the simulated providers. */
const PLACEHOLDER = 'sandbox';

export function checkProviders(given: Given, process: Process): string[] {
  if (!SERVING.includes(process)) return [];
  const toSign = process === 'worker' ? faultsIn(NEEDED_TO_SIGN, given) : [];
  return [...faultsIn(NEEDED, given), ...toSign];
}

function faultsIn(needed: typeof NEEDED, given: Given): string[] {
  return Object.entries(needed)
    .filter(([url]) => given[url])
    .flatMap(([url, names]) => names.flatMap((name) => faultOf(name, given[name], url)));
}

function faultOf(name: string, value: string | undefined, url: string): string[] {
  // Also after the fault of a value that cannot be read.
  if (!value) return [`${url} needs ${name}`];
  if (value === PLACEHOLDER)
    return [`${name} is the placeholder of the sandbox; production needs your provider's`];
  return [];
}
