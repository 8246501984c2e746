//! Builds the adapters of the configured providers; calls to an unconfigured one are refused.
import type { Clock } from '@holdfast/kernel/clock';
import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/process/log.ts';
import { httpEscrowProvider } from '../providers/escrow/escrow-provider.http.ts';
import type { EscrowProvider } from '../providers/escrow/escrow-provider.ts';
import { measureCalls } from '../providers/measure-calls.ts';
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
  const network = httpLedgerNetwork({
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
  return measureCalls('ledger_network', network, {
    account: true,
    send: true,
    findTransaction: true,
    usersOf: true,
    createdContract: true,
    closeTime: true,
    payments: true,
    paymentsOf: true,
    paymentsSince: true,
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
  const escrows = httpEscrowProvider({
    baseUrl,
    apiKey,
    usdcIssuer,
    clock,
    log,
    perMinute: perMinute === 'off' ? null : perMinute,
    buildTimeoutMs: PROVIDER_MS,
    readTimeoutMs: PROVIDER_MS,
  });
  return measureCalls('escrow_provider', escrows, {
    build: true,
    read: true,
    findByEngagement: true,
    recordTransaction: true,
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
  const payments = httpPaymentProvider({
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
  return measureCalls('payment_provider', payments, {
    findAccount: true,
    createPayin: true,
    findPayin: true,
    cancelPayin: true,
    createPayout: true,
    commitPayout: true,
    findPayout: true,
    cancelPayout: true,
    balance: true,
    listPayins: true,
    listPayouts: true,
  });
}
