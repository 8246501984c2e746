// The same suites as against the sandbox, against the vendors' own test systems.
import { expect, it } from 'vitest';
import { escrowProviderSuite } from '../testing/escrow-provider-suite.ts';
import { paymentProviderSuite } from '../testing/payment-provider-suite.ts';
import { realEscrowStage, realPaymentStage } from '../testing/real-stages.ts';

const escrow = realEscrowStage(process.env);
const payment = realPaymentStage(process.env);
if (escrow) escrowProviderSuite('Trustless Work, testnet', escrow, { hasMoney: false });
if (payment) paymentProviderSuite('Airtm, staging', payment);

it('says whether the real providers were asked', () => {
  const asked = [...(escrow ? ['escrow'] : []), ...(payment ? ['payment'] : [])];
  const line = asked.length === 0 ? 'not run, no keys' : `run against ${asked.join(' and ')}`;
  process.stdout.write(`real providers: ${line}\n`);
  expect(asked.length).toBeLessThanOrEqual(2);
});
