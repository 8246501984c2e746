import { expect, it } from 'vitest';
import { faultsOf } from '../../testing/production-settings.ts';
import type { Process } from './settings.ts';

it.each<[string, Process, Record<string, string>, ...RegExp[]]>([
  [
    'a network without the issuer of its USDC',
    'api',
    { HOLDFAST_USDC_ISSUER: '' },
    /^HOLDFAST_HORIZON_URL needs HOLDFAST_USDC_ISSUER$/,
  ],
  [
    'escrows without a network, and a network without a node',
    'api',
    { HOLDFAST_HORIZON_URL: '', HOLDFAST_RPC_URL: '' },
    /^HOLDFAST_ESCROW_PROVIDER_URL needs HOLDFAST_HORIZON_URL$/,
    /needs HOLDFAST_RPC_URL$/,
  ],
  [
    'a worker that can sign no escrow',
    'worker',
    { HOLDFAST_WALLET_KEYS: '', HOLDFAST_ESCROW_FACTORY: '', HOLDFAST_ESCROW_WASM_MULTI: '' },
    /^HOLDFAST_ESCROW_PROVIDER_URL needs HOLDFAST_WALLET_KEYS$/,
    /needs HOLDFAST_ESCROW_FACTORY$/,
    /needs HOLDFAST_ESCROW_WASM_MULTI$/,
  ],
  [
    'payments without a payment page',
    'api',
    { HOLDFAST_CHECKOUT_URL: '' },
    /^HOLDFAST_PAYMENT_PROVIDER_URL needs HOLDFAST_CHECKOUT_URL$/,
  ],
  [
    'keys of simulated providers',
    'worker',
    { HOLDFAST_ESCROW_PROVIDER_KEY: 'sandbox', HOLDFAST_PAYMENT_PROVIDER_SECRET: 'sandbox' },
    /ESCROW_PROVIDER_KEY is the placeholder of the sandbox/,
    /PAYMENT_PROVIDER_SECRET is the placeholder/,
  ],
])('production refuses %s', (_, process, change, ...expected) => {
  const faults = faultsOf(process, change);
  expect(faults).toHaveLength(expected.length);
  for (const [at, pattern] of expected.entries()) expect(faults[at]).toMatch(pattern);
});

const placeholders = {
  HOLDFAST_ESCROW_PROVIDER_KEY: 'sandbox',
  HOLDFAST_PAYMENT_PROVIDER_KEY: 'sandbox',
  HOLDFAST_PAYMENT_PROVIDER_SECRET: 'sandbox',
};

it('production accepts a deployment without providers, as their keys were created', () => {
  const change = {
    ...placeholders,
    HOLDFAST_HORIZON_URL: '',
    HOLDFAST_ESCROW_PROVIDER_URL: '',
    HOLDFAST_PAYMENT_PROVIDER_URL: '',
  };
  expect(faultsOf('api', change)).toEqual([]);
  expect(faultsOf('worker', change)).toEqual([]);
});
