//! What every payment provider must do for us: one suite, for the sandbox and for the vendor's own
//! test system, so that the two cannot drift apart.
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../providers/outcome.ts';
import type { NewPayin, NewPayout, PaymentProvider } from '../providers/payment-provider.ts';

export interface PaymentStage {
  readonly provider: PaymentProvider;
  /** Somebody who can be paid. */
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
  code: newId('topup'),
  amountMinor: 2_550n,
  description: 'Top-up of a balance',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/never-mind',
  ...changes,
});

export function paymentProviderSuite(name: string, makeStage: () => Promise<PaymentStage>): void {
  describe(`payment provider: ${name}`, () => {
    let stage: PaymentStage;
    beforeAll(async () => {
      stage = await makeStage();
    });
    accountTests(() => stage);
    payinTests(() => stage);
    payoutTests(() => stage);
    listTests(() => stage);
  });
}

function accountTests(stageOf: () => PaymentStage): void {
  it('knows who has an account', async () => {
    const found = doneValue(await stageOf().provider.findAccount(stageOf().email));
    expect(found).toMatchObject({ email: stageOf().email, isActive: true });
    const unknown = await stageOf().provider.findAccount(stageOf().unknownEmail);
    expect(unknown).toMatchObject({ kind: 'refused', code: 'not-found' });
  });

  it('tells its balance', async () => {
    const { availableMinor } = doneValue(await stageOf().provider.balance());
    expect(availableMinor).toBeGreaterThanOrEqual(0n);
  });
}

function listTests(stageOf: () => PaymentStage): void {
  it('lists payins and payouts, newest first, page by page, each once', async () => {
    const { provider, email } = stageOf();
    const codes: string[] = [];
    for (let made = 0; made < 12; made += 1) {
      const payin = newPayin({ amountMinor: 1000n + BigInt(made) });
      doneValue(await provider.createPayin(payin));
      codes.unshift(payin.code);
    }
    const first = doneValue(await provider.listPayins({ after: null, count: 10 }));
    expect(first.items.map(({ code }) => code)).toEqual(codes.slice(0, 10));
    expect(first.items[0]).toMatchObject({ status: 'created', amountMinor: 1011n });
    const second = doneValue(await provider.listPayins({ after: first.next, count: 10 }));
    expect(second.items.slice(0, 2).map(({ code }) => code)).toEqual(codes.slice(10));
    const payout = { code: newId('wd'), recipient: { email }, amountMinor: 777n, note: 'a note' };
    doneValue(await provider.createPayout(payout));
    const payouts = doneValue(await provider.listPayouts({ after: null, count: 10 }));
    const { code, amountMinor, note } = payout;
    expect(payouts.items[0]).toMatchObject({ code, amountMinor, note, status: 'created' });
  });
}

function payinTests(stageOf: () => PaymentStage): void {
  it('creates a payin once, however often it is asked', async () => {
    const payin = newPayin();
    const made = doneValue(await stageOf().provider.createPayin(payin));
    expect(made).toMatchObject({ code: payin.code, amountMinor: 2_550n, status: 'created' });
    expect(made.checkoutUrl).toBe(stageOf().checkoutUrlOf(made.id));
    const again = doneValue(await stageOf().provider.createPayin(payin));
    expect(again.id).toBe(made.id);
    const found = doneValue(await stageOf().provider.findPayin(payin.code));
    expect(found).toEqual(again);
  });

  it('does not let a code stand for two amounts', async () => {
    const payin = newPayin();
    doneValue(await stageOf().provider.createPayin(payin));
    const other = await stageOf().provider.createPayin({ ...payin, amountMinor: 2_551n });
    expect(other).toMatchObject({ kind: 'refused', code: 'code-conflict' });
  });

  it('cancels a payin, again and again', async () => {
    const { id, code } = doneValue(await stageOf().provider.createPayin(newPayin()));
    expect(doneValue(await stageOf().provider.cancelPayin(id)).status).toBe('canceled');
    expect(doneValue(await stageOf().provider.cancelPayin(id)).status).toBe('canceled');
    expect(doneValue(await stageOf().provider.findPayin(code))?.status).toBe('canceled');
  });

  it('has no payin or payout by a code that it was never given', async () => {
    expect(doneValue(await stageOf().provider.findPayin(newId('topup')))).toBeNull();
    expect(doneValue(await stageOf().provider.findPayout(newId('wd')))).toBeNull();
  });
}

function payoutTests(stageOf: () => PaymentStage): void {
  const newPayout = (changes: Partial<NewPayout> = {}): NewPayout => ({
    code: newId('wd'),
    recipient: { email: stageOf().email },
    amountMinor: 1_001n,
    note: 'A withdrawal',
    ...changes,
  });

  it('creates a payout once, and moves nothing before the commit', async () => {
    const payout = newPayout();
    const made = doneValue(await stageOf().provider.createPayout(payout));
    expect(made).toMatchObject({ code: payout.code, amountMinor: 1_001n, status: 'created' });
    expect(made.recipient).toEqual({ email: stageOf().email });
    expect(doneValue(await stageOf().provider.createPayout(payout)).id).toBe(made.id);
    expect(doneValue(await stageOf().provider.findPayout(payout.code))).toEqual(made);
  });

  it('does not let a code stand for two amounts or two recipients', async () => {
    const payout = newPayout();
    doneValue(await stageOf().provider.createPayout(payout));
    const amount = await stageOf().provider.createPayout({ ...payout, amountMinor: 1_002n });
    expect(amount).toMatchObject({ kind: 'refused', code: 'code-conflict' });
    const recipient = { email: `other.${stageOf().email}` };
    const other = await stageOf().provider.createPayout({ ...payout, recipient });
    expect(other).toMatchObject({ kind: 'refused', code: 'code-conflict' });
  });

  it('takes an address of mail as the same in any case', async () => {
    const payout = newPayout();
    const { id } = doneValue(await stageOf().provider.createPayout(payout));
    const recipient = { email: stageOf().email.toUpperCase() };
    expect(doneValue(await stageOf().provider.createPayout({ ...payout, recipient })).id).toBe(id);
  });

  it('commits a payout once, however often it is asked', async () => {
    const { id, code } = doneValue(await stageOf().provider.createPayout(newPayout()));
    const committed = doneValue(await stageOf().provider.commitPayout(id));
    expect(committed.status).not.toBe('created');
    expect(doneValue(await stageOf().provider.commitPayout(id)).id).toBe(id);
    expect(doneValue(await stageOf().provider.findPayout(code))?.status).not.toBe('created');
  });

  it('cancels a payout that was not committed, again and again', async () => {
    const { id } = doneValue(await stageOf().provider.createPayout(newPayout()));
    expect(doneValue(await stageOf().provider.cancelPayout(id)).status).toBe('canceled');
    expect(doneValue(await stageOf().provider.cancelPayout(id)).status).toBe('canceled');
  });

  it('refuses what is not there', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000';
    for (const outcome of [
      await stageOf().provider.commitPayout(nowhere),
      await stageOf().provider.cancelPayout(nowhere),
      await stageOf().provider.cancelPayin(nowhere),
    ]) {
      expect(outcome).toMatchObject({ kind: 'refused', code: 'not-found' });
    }
  });
}
