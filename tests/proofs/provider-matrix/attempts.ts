//! For each operation: the preparation of the sandbox, and the one call that is repeated until its
//! outcome is known.
import { newId } from '@holdfast/kernel/ids';
import type { EscrowStep } from '../../../apps/server/src/providers/escrow/escrow-provider.ts';
import type { SignedEnvelope } from '../../../apps/server/src/providers/network/envelope.ts';
import { settleEnvelope } from '../../../apps/server/src/providers/network/settle-envelope.ts';
import type { Outcome } from '../../../apps/server/src/providers/outcome.ts';
import { knowNumberBefore } from '../../../apps/server/src/testing/known-number.ts';
import type { Parties } from '../../../apps/server/src/testing/parties.ts';
import type { JournalEntry } from '../../../apps/server/src/testing/sandbox.ts';
import type { Cell } from './cell.ts';
import type { Environment } from './environment.ts';

export interface Attempt {
  call(): Promise<Outcome<unknown>>;
  /** Whether this entry of the journal is the expected effect. */
  isEffect(entry: JournalEntry): boolean;
}

export async function prepare(
  environment: Environment,
  { provider, operation }: Cell,
): Promise<Attempt> {
  if (provider === 'payment') return preparePayment(environment, operation);
  if (provider === 'ledger') return prepareTransfer(environment);
  return prepareStep(environment, operation);
}

/** An envelope is signed once; later calls only submit and look up that one. */
function settling(
  { app, call }: Environment,
  purpose: string,
  sign: () => Promise<Outcome<SignedEnvelope>>,
): () => Promise<Outcome<unknown>> {
  const signNext = async () => {
    const signed = await sign();
    await knowNumberBefore(app, call, signed);
    return signed;
  };
  return () => settleEnvelope(app, call, purpose, signNext);
}

async function prepareStep(environment: Environment, operation: string): Promise<Attempt> {
  const { parties } = environment;
  const terms = parties.terms({ engagementId: newId('ord', Date.now()) });
  const step = await stepOf(parties, operation, terms);
  return {
    call: settling(environment, newId('op', Date.now()), () => parties.sign(step)),
    isEffect: (entry) =>
      entry.effect === `escrow.${operation}` && entry.orderId === terms.engagementId,
  };
}

type Terms = ReturnType<Parties['terms']>;

/** Brings a contract to the state before the operation. */
async function stepOf(parties: Parties, operation: string, terms: Terms): Promise<EscrowStep> {
  const { buyer, seller, resolver } = parties;
  const signer = buyer.address;
  if (operation === 'deploy') return { step: 'deploy', signer, terms };
  const kind = 'single-release' as const;
  if (operation === 'fund') {
    const contractId = await parties.take({ step: 'deploy', signer, terms });
    return { step: 'fund', kind, contractId, signer, stroops: terms.stroops, terms };
  }
  const on = { kind, contractId: await parties.fundedContract(terms) };
  const approve: EscrowStep = { ...on, step: 'approve', milestoneIndex: 0, approver: signer };
  switch (operation) {
    case 'status': {
      const serviceProvider = seller.address;
      return { ...on, step: 'completeMilestone', milestoneIndex: 0, serviceProvider };
    }
    case 'approve':
      return approve;
    case 'release':
      await parties.take(approve);
      return { ...on, step: 'release', releaseSigner: signer };
    case 'dispute':
      return { ...on, step: 'dispute', signer };
    case 'resolve': {
      await parties.take({ ...on, step: 'dispute', signer });
      const distributions = [{ address: signer, stroops: terms.stroops }];
      return { ...on, step: 'resolve', disputeResolver: resolver.address, distributions };
    }
    default:
      throw new Error(`there is no ${operation}`);
  }
}

/** A direct payment from the buyer to the seller. */
async function prepareTransfer(environment: Environment): Promise<Attempt> {
  let hash = '';
  const sign = async () => {
    const signed = await environment.parties.signTransfer('1');
    if (signed.kind === 'done') hash = signed.value.hash;
    return signed;
  };
  return {
    call: settling(environment, newId('op', Date.now()), sign),
    isEffect: ({ effect, txHash }) => effect === 'ledger.payment' && txHash === hash,
  };
}

async function preparePayment(
  { adapters, parties }: Environment,
  operation: string,
): Promise<Attempt> {
  const { payments } = adapters;
  const undisturbedPayments = parties.adapters.payments;
  const payin = {
    code: newId('topup', Date.now()),
    amountMinor: 2_500n,
    description: 'Matrix',
    returnUrl: 'https://shop.example/back',
    cancelUrl: 'https://shop.example/cancel',
  };
  const payout = {
    code: newId('wd', Date.now()),
    recipient: { email: 'ada@example.com' },
    amountMinor: 100n,
    note: 'Matrix',
  };
  const { code } = operation.startsWith('payin') ? payin : payout;
  const isEffect = (entry: JournalEntry) =>
    entry.effect === `payment.${operation}` && entry.code === code;
  switch (operation) {
    case 'payin.create':
      return { isEffect, call: () => payments.createPayin(payin) };
    case 'payin.cancel': {
      const { id } = known(await undisturbedPayments.createPayin(payin));
      return { isEffect, call: () => payments.cancelPayin(id) };
    }
    case 'payout.create':
      return { isEffect, call: () => payments.createPayout(payout) };
    case 'payout.commit': {
      const { id } = known(await undisturbedPayments.createPayout(payout));
      return { isEffect, call: () => payments.commitPayout(id) };
    }
    default:
      throw new Error(`there is no ${operation}`);
  }
}

function known<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(outcome.reason);
  return outcome.value;
}
