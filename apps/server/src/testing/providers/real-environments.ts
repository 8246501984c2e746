//! The vendors' own test systems as environments for the provider suites. They are called only when
//! the environment has keys for them. They hold no money, so tests that need money are skipped.
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import {
  Account,
  Asset,
  Keypair,
  Networks,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import { createLog } from '../../platform/process/log.ts';
import { httpEscrowProvider } from '../../providers/escrow/escrow-provider.http.ts';
import { httpPaymentProvider } from '../../providers/payments/payment-provider.http.ts';
import type { EscrowEnvironment } from './escrow-provider-suite.ts';
import type { PaymentEnvironment } from './payment-provider-suite.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const common = { clock: systemClock, log: createLog('silent', 'test') };
const HORIZON = 'https://horizon-testnet.stellar.org';
const USDC_ISSUER = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

/** Undefined without TRUSTLESS_WORK_API_KEY. */
export function realEscrowEnvironment(
  env: Environment,
): (() => Promise<EscrowEnvironment>) | undefined {
  const { TRUSTLESS_WORK_API_KEY: apiKey, TRUSTLESS_WORK_URL: url } = env;
  if (!apiKey) return undefined;
  return async () => {
    const [buyer, seller, platform, resolver, untrusting] = await Promise.all(
      [true, true, true, true, false].map(openTestAccount),
    );
    if (!buyer || !seller || !platform || !resolver || !untrusting)
      throw new Error('five are made');
    return {
      provider: httpEscrowProvider({
        ...common,
        baseUrl: url ?? 'https://dev.api.trustlesswork.com',
        apiKey,
        usdcIssuer: USDC_ISSUER,
        perMinute: 45,
        buildTimeoutMs: 15_000,
        readTimeoutMs: 15_000,
      }),
      buyer,
      seller,
      resolver,
      untrusting,
      terms: (changes) => ({
        kind: 'single-release',
        engagementId: newId('ord', systemClock.now()),
        title: 'Holdfast contract test',
        description: 'Holdfast contract test',
        roles: {
          approver: buyer,
          serviceProvider: seller,
          platformAddress: platform,
          releaseSigner: buyer,
          disputeResolver: resolver,
          receiver: seller,
        },
        stroops: 1_000_000_000n,
        feeBasisPoints: 500n,
        milestones: [{ description: 'All of it', stroops: 1_000_000_000n }],
        ...changes,
      }),
    };
  };
}

/** A new account on the public test network, with a trustline if wanted. */
async function openTestAccount(hasTrustline: boolean): Promise<string> {
  const keypair = Keypair.random();
  const address = keypair.publicKey();
  await fetchJson(`https://friendbot.stellar.org/?addr=${address}`);
  if (!hasTrustline) return address;
  const account = (await fetchJson(`${HORIZON}/accounts/${address}`)) as { sequence: string };
  const builder = new TransactionBuilder(new Account(address, account.sequence), {
    fee: '1000',
    networkPassphrase: Networks.TESTNET,
  });
  const asset = new Asset('USDC', USDC_ISSUER);
  const tx = builder.addOperation(Operation.changeTrust({ asset })).setTimeout(120).build();
  tx.sign(keypair);
  const body = new URLSearchParams({ tx: tx.toXdr() });
  await fetchJson(`${HORIZON}/transactions`, { method: 'POST', body });
  return address;
}

async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.json();
}

/** Undefined without AIRTM_API_KEY, AIRTM_SECRET and a recipient (AIRTM_TEST_EMAIL). */
export function realPaymentEnvironment(
  env: Environment,
): (() => Promise<PaymentEnvironment>) | undefined {
  const { AIRTM_API_KEY: apiKey, AIRTM_SECRET: secretKey, AIRTM_TEST_EMAIL: email } = env;
  if (!apiKey || !secretKey || !email) return undefined;
  const host = 'https://app.stg.airtm.io';
  return async () => ({
    provider: httpPaymentProvider({
      ...common,
      baseUrl: env['AIRTM_URL'] ?? 'https://api.stg.enterprise.airtm.com/v2',
      apiKey,
      secretKey,
      checkoutUrlTemplate: `${host}/payin/{id}`,
      hasBankPayouts: false,
      perMinute: 540,
      reversedStatuses: [],
      timeoutMs: 15_000,
    }),
    email,
    unknownEmail: `unknown.${newId('usr', systemClock.now())}@example.com`,
    checkoutUrlOf: (id) => `${host}/payin/${id}`,
  });
}
