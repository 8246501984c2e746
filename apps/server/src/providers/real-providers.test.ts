// The same suites as against the sandbox, against the vendors' own test systems.
import { expect, it } from 'vitest';
import { escrowProviderSuite } from '../testing/escrow-provider-suite.ts';
import { paymentProviderSuite } from '../testing/payment-provider-suite.ts';
import { realEscrowEnvironment, realPaymentEnvironment } from '../testing/real-environments.ts';

const escrow = realEscrowEnvironment(process.env);
const payment = realPaymentEnvironment(process.env);
if (escrow) escrowProviderSuite('Trustless Work, testnet', escrow, { hasMoney: false });
if (payment) paymentProviderSuite('Airtm, staging', payment);

it('reports whether the tests ran against the real providers', () => {
  const tested = [...(escrow ? ['escrow'] : []), ...(payment ? ['payment'] : [])];
  const line = tested.length === 0 ? 'not run, no keys' : `run against ${tested.join(' and ')}`;
  process.stdout.write(`real providers: ${line}\n`);
  expect(tested.length).toBeLessThanOrEqual(2);
});
