//! Builds the adapters of the configured providers; calls to an unconfigured one are refused.
import type { Clock } from '@holdfast/kernel/clock';
import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/process/log.ts';
import { httpEscrowProvider } from '../providers/escrow/escrow-provider.http.ts';
import type { EscrowProvider } from '../providers/escrow/escrow-provider.ts';
import { httpLedgerNetwork } from '../providers/network/ledger-network.http.ts';
import type { LedgerNetwork } from '../providers/network/ledger-network.ts';
import { httpPaymentProvider } from '../providers/payments/payment-provider.http.ts';
import type { PaymentProvider } from '../providers/payments/payment-provider.ts';

const NETWORK_SEND_MS = 60_000;
const PROVIDER_MS = 15_000;

export function wireNetwork(config: Config, clock: Clock, log: Log): LedgerNetwork | undefined {
  const {
    HOLDFAST_HORIZON_URL: baseUrl,
    HOLDFAST_NETWORK_PASSPHRASE: passphrase,
    HOLDFAST_USDC_ISSUER: usdcIssuer,
  } = config;
  if (baseUrl === undefined || passphrase === undefined || usdcIssuer === undefined)
    return undefined;
  return httpLedgerNetwork({
    baseUrl,
    rpcUrl: config.HOLDFAST_RPC_URL,
    passphrase,
    usdcIssuer,
    clock,
    log,
    perMinute: null,
    sendTimeoutMs: NETWORK_SEND_MS,
    readTimeoutMs: PROVIDER_MS,
  });
}

export function wireEscrows(config: Config, clock: Clock, log: Log): EscrowProvider | undefined {
  const {
    HOLDFAST_ESCROW_PROVIDER_URL: baseUrl,
    HOLDFAST_ESCROW_PROVIDER_KEY: apiKey,
    HOLDFAST_USDC_ISSUER: usdcIssuer,
    HOLDFAST_ESCROW_PROVIDER_PER_MINUTE: perMinute,
  } = config;
  if (baseUrl === undefined || apiKey === undefined || usdcIssuer === undefined) return undefined;
  return httpEscrowProvider({
    baseUrl,
    apiKey,
    usdcIssuer,
    clock,
    log,
    perMinute: perMinute === 'off' ? null : perMinute,
    buildTimeoutMs: PROVIDER_MS,
    readTimeoutMs: PROVIDER_MS,
  });
}

export function wirePayments(config: Config, clock: Clock, log: Log): PaymentProvider | undefined {
  const {
    HOLDFAST_PAYMENT_PROVIDER_URL: baseUrl,
    HOLDFAST_PAYMENT_PROVIDER_KEY: apiKey,
    HOLDFAST_PAYMENT_PROVIDER_SECRET: secretKey,
    HOLDFAST_CHECKOUT_URL: checkoutUrlTemplate,
    HOLDFAST_PAYMENT_PROVIDER_PER_MINUTE: perMinute,
  } = config;
  if (!baseUrl || !apiKey || !secretKey || !checkoutUrlTemplate) return undefined;
  return httpPaymentProvider({
    baseUrl,
    apiKey,
    secretKey,
    checkoutUrlTemplate,
    clock,
    log,
    perMinute: perMinute === 'off' ? null : perMinute,
    // The vendor pays to its own users only; the sandbox supports banks too.
    hasBankPayouts: config.NODE_ENV === 'development',
    reversedStatuses: config.HOLDFAST_PAYIN_REVERSED_STATUSES,
    timeoutMs: PROVIDER_MS,
  });
}
