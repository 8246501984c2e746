//! The contract tests for every payment provider. One suite for the sandbox and for the vendor's
//! own test system, so that the two cannot drift apart.
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../providers/outcome.ts';
import type {
  NewPayin,
  NewPayout,
  PaymentProvider,
} from '../../providers/payments/payment-provider.ts';

export interface PaymentEnvironment {
  readonly provider: PaymentProvider;
  /** An account that can be paid. */
  readonly email: string;
  readonly unknownEmail: string;
  /** Where a payer is sent, for an id. */
  checkoutUrlOf(id: string): string;
}

export function doneValue<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(`${outcome.kind}: ${outcome.reason}`);
  return outcome.value;
}

export const newPayin = (changes: Partial<NewPayin> = {}): NewPayin => ({
  code: newId('topup', systemClock.now()),
  amountMinor: 2_550n,
  description: 'Top-up of a balance',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/never-mind',
  ...changes,
});

export function paymentProviderSuite(
  name: string,
  createEnvironment: () => Promise<PaymentEnvironment>,
): void {
  describe(`payment provider: ${name}`, () => {
    let environment: PaymentEnvironment;
    beforeAll(async () => {
      environment = await createEnvironment();
    });
    accountTests(() => environment);
    payinTests(() => environment);
    payoutTests(() => environment);
    listTests(() => environment);
  });
}

function accountTests(environmentOf: () => PaymentEnvironment): void {
  it('knows who has an account', async () => {
    const found = doneValue(await environmentOf().provider.findAccount(environmentOf().email));
    expect(found).toMatchObject({ email: environmentOf().email, isActive: true });
    const unknown = await environmentOf().provider.findAccount(environmentOf().unknownEmail);
    expect(unknown).toMatchObject({ kind: 'refused', code: 'not-found' });
  });

  it('returns its balance', async () => {
    const { availableMinor } = doneValue(await environmentOf().provider.balance());
    expect(availableMinor).toBeGreaterThanOrEqual(0n);
  });
}

function listTests(environmentOf: () => PaymentEnvironment): void {
  it('lists payins and payouts, newest first, page by page, each once', async () => {
    const { provider, email } = environmentOf();
    const codes: string[] = [];
    for (let created = 0; created < 12; created += 1) {
      const payin = newPayin({ amountMinor: 1000n + BigInt(created) });
      doneValue(await provider.createPayin(payin));
      codes.unshift(payin.code);
    }
    const first = doneValue(await provider.listPayins({ after: null, count: 10 }));
    expect(first.items.map(({ code }) => code)).toEqual(codes.slice(0, 10));
    expect(first.items[0]).toMatchObject({ status: 'created', grossMinor: 1011n });
    const second = doneValue(await provider.listPayins({ after: first.next, count: 10 }));
    expect(second.items.slice(0, 2).map(({ code }) => code)).toEqual(codes.slice(10));
    const payout = {
      code: newId('wd', systemClock.now()),
      recipient: { email },
      amountMinor: 777n,
      note: 'a note',
    };
    doneValue(await provider.createPayout(payout));
    const payouts = doneValue(await provider.listPayouts({ after: null, count: 10 }));
    const { code, amountMinor, note } = payout;
    expect(payouts.items[0]).toMatchObject({ code, amountMinor, note, status: 'created' });
  });
}

function payinTests(environmentOf: () => PaymentEnvironment): void {
  it('creates a payin once, however often it is requested', async () => {
    const payin = newPayin();
    const created = doneValue(await environmentOf().provider.createPayin(payin));
    expect(created).toMatchObject({ code: payin.code, amountMinor: 2_550n, status: 'created' });
    expect(created.checkoutUrl).toBe(environmentOf().checkoutUrlOf(created.id));
    const again = doneValue(await environmentOf().provider.createPayin(payin));
    expect(again.id).toBe(created.id);
    const found = doneValue(await environmentOf().provider.findPayin(payin.code));
    expect(found).toEqual(again);
  });

  it('does not let a code stand for two amounts', async () => {
    const payin = newPayin();
    doneValue(await environmentOf().provider.createPayin(payin));
    const other = await environmentOf().provider.createPayin({ ...payin, amountMinor: 2_551n });
    expect(other).toMatchObject({ kind: 'refused', code: 'code-conflict' });
  });

  it('cancels a payin, also when repeated', async () => {
    const { id, code } = doneValue(await environmentOf().provider.createPayin(newPayin()));
    expect(doneValue(await environmentOf().provider.cancelPayin(id)).status).toBe('canceled');
    expect(doneValue(await environmentOf().provider.cancelPayin(id)).status).toBe('canceled');
    expect(doneValue(await environmentOf().provider.findPayin(code))?.status).toBe('canceled');
  });

  it('has no payin or payout by a code that it was never given', async () => {
    expect(
      doneValue(await environmentOf().provider.findPayin(newId('topup', systemClock.now()))),
    ).toBeNull();
    expect(
      doneValue(await environmentOf().provider.findPayout(newId('wd', systemClock.now()))),
    ).toBeNull();
  });
}

function payoutTests(environmentOf: () => PaymentEnvironment): void {
  const newPayout = (changes: Partial<NewPayout> = {}): NewPayout => ({
    code: newId('wd', systemClock.now()),
    recipient: { email: environmentOf().email },
    amountMinor: 1_001n,
    note: 'A withdrawal',
    ...changes,
  });

  it('creates a payout once, and moves nothing before the commit', async () => {
    const payout = newPayout();
    const created = doneValue(await environmentOf().provider.createPayout(payout));
    expect(created).toMatchObject({ code: payout.code, amountMinor: 1_001n, status: 'created' });
    expect(created.recipient).toEqual({ email: environmentOf().email });
    expect(doneValue(await environmentOf().provider.createPayout(payout)).id).toBe(created.id);
    expect(doneValue(await environmentOf().provider.findPayout(payout.code))).toEqual(created);
  });

  it('does not let a code stand for two amounts or two recipients', async () => {
    const payout = newPayout();
    doneValue(await environmentOf().provider.createPayout(payout));
    const amount = await environmentOf().provider.createPayout({ ...payout, amountMinor: 1_002n });
    expect(amount).toMatchObject({ kind: 'refused', code: 'code-conflict' });
    const recipient = { email: `other.${environmentOf().email}` };
    const other = await environmentOf().provider.createPayout({ ...payout, recipient });
    expect(other).toMatchObject({ kind: 'refused', code: 'code-conflict' });
  });

  it('ignores the case of an e-mail address', async () => {
    const payout = newPayout();
    const { id } = doneValue(await environmentOf().provider.createPayout(payout));
    const recipient = { email: environmentOf().email.toUpperCase() };
    expect(
      doneValue(await environmentOf().provider.createPayout({ ...payout, recipient })).id,
    ).toBe(id);
  });

  it('commits a payout once, however often it is requested', async () => {
    const { id, code } = doneValue(await environmentOf().provider.createPayout(newPayout()));
    const committed = doneValue(await environmentOf().provider.commitPayout(id));
    expect(committed.status).not.toBe('created');
    expect(doneValue(await environmentOf().provider.commitPayout(id)).id).toBe(id);
    expect(doneValue(await environmentOf().provider.findPayout(code))?.status).not.toBe('created');
  });

  it('cancels a payout that was not committed, also when repeated', async () => {
    const { id } = doneValue(await environmentOf().provider.createPayout(newPayout()));
    expect(doneValue(await environmentOf().provider.cancelPayout(id)).status).toBe('canceled');
    expect(doneValue(await environmentOf().provider.cancelPayout(id)).status).toBe('canceled');
  });

  it('refuses calls about unknown payins and payouts', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000';
    for (const outcome of [
      await environmentOf().provider.commitPayout(nowhere),
      await environmentOf().provider.cancelPayout(nowhere),
      await environmentOf().provider.cancelPayin(nowhere),
    ]) {
      expect(outcome).toMatchObject({ kind: 'refused', code: 'not-found' });
    }
  });
}
