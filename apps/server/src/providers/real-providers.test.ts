// The same suites as against the sandbox, against the vendors' own test systems.
import { expect, it } from 'vitest';
import { escrowProviderSuite } from '../testing/providers/escrow-provider-suite.ts';
import { paymentProviderSuite } from '../testing/providers/payment-provider-suite.ts';
import {
  realEscrowEnvironment,
  realPaymentEnvironment,
} from '../testing/providers/real-environments.ts';

const escrow = realEscrowEnvironment(process.env);
const payment = realPaymentEnvironment(process.env);
if (escrow) escrowProviderSuite('Trustless Work, testnet', escrow, { hasMoney: false });
if (payment) paymentProviderSuite('Airtm, staging', payment);

// `npm run test:providers` is for those who go live: it must not pass without having tested both.
it('reports which of the real providers were tested', () => {
  const missing = [
    ...(escrow ? [] : ['the escrow provider: set TRUSTLESS_WORK_API_KEY']),
    ...(payment ? [] : ['the payment provider: set AIRTM_API_KEY, AIRTM_SECRET, AIRTM_TEST_EMAIL']),
  ];
  const line = missing.length === 0 ? 'both were tested' : `not tested: ${missing.join('; ')}`;
  process.stdout.write(`real providers: ${line}\n`);
  if (process.env['REAL_PROVIDERS'] === 'required') expect(missing).toEqual([]);
});
