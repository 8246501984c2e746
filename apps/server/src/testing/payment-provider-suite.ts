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

export function valueOf<T>(outcome: Outcome<T>): T {
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
    const newPayout = (changes: Partial<NewPayout> = {}): NewPayout => ({
      code: newId('wd'),
      recipient: { email: stage.email },
      amountMinor: 1_001n,
      note: 'A withdrawal',
      ...changes,
    });

    it('knows who has an account', async () => {
      const found = valueOf(await stage.provider.findAccount(stage.email));
      expect(found).toMatchObject({ email: stage.email, isActive: true });
      const unknown = await stage.provider.findAccount(stage.unknownEmail);
      expect(unknown).toMatchObject({ kind: 'refused', code: 'not-found' });
    });

    it('tells its balance', async () => {
      const { availableMinor } = valueOf(await stage.provider.balance());
      expect(availableMinor).toBeGreaterThanOrEqual(0n);
    });

    it('creates a payin once, however often it is asked', async () => {
      const payin = newPayin();
      const made = valueOf(await stage.provider.createPayin(payin));
      expect(made).toMatchObject({ code: payin.code, amountMinor: 2_550n, status: 'created' });
      expect(made.checkoutUrl).toBe(stage.checkoutUrlOf(made.id));
      const again = valueOf(await stage.provider.createPayin(payin));
      expect(again.id).toBe(made.id);
      const found = valueOf(await stage.provider.findPayin(payin.code));
      expect(found).toEqual(again);
    });

    it('does not let a code stand for two amounts', async () => {
      const payin = newPayin();
      valueOf(await stage.provider.createPayin(payin));
      const other = await stage.provider.createPayin({ ...payin, amountMinor: 2_551n });
      expect(other).toMatchObject({ kind: 'refused', code: 'code-conflict' });
    });

    it('cancels a payin, again and again', async () => {
      const { id, code } = valueOf(await stage.provider.createPayin(newPayin()));
      expect(valueOf(await stage.provider.cancelPayin(id)).status).toBe('canceled');
      expect(valueOf(await stage.provider.cancelPayin(id)).status).toBe('canceled');
      expect(valueOf(await stage.provider.findPayin(code))?.status).toBe('canceled');
    });

    it('has no payin or payout by a code that it was never given', async () => {
      expect(valueOf(await stage.provider.findPayin(newId('topup')))).toBeNull();
      expect(valueOf(await stage.provider.findPayout(newId('wd')))).toBeNull();
    });

    it('creates a payout once, and moves nothing before the commit', async () => {
      const payout = newPayout();
      const made = valueOf(await stage.provider.createPayout(payout));
      expect(made).toMatchObject({ code: payout.code, amountMinor: 1_001n, status: 'created' });
      expect(made.recipient).toEqual({ email: stage.email });
      expect(valueOf(await stage.provider.createPayout(payout)).id).toBe(made.id);
      expect(valueOf(await stage.provider.findPayout(payout.code))).toEqual(made);
    });

    it('does not let a code stand for two amounts or two recipients', async () => {
      const payout = newPayout();
      valueOf(await stage.provider.createPayout(payout));
      const amount = await stage.provider.createPayout({ ...payout, amountMinor: 1_002n });
      expect(amount).toMatchObject({ kind: 'refused', code: 'code-conflict' });
      const recipient = { email: `other.${stage.email}` };
      const other = await stage.provider.createPayout({ ...payout, recipient });
      expect(other).toMatchObject({ kind: 'refused', code: 'code-conflict' });
    });

    it('takes an address of mail as the same in any case', async () => {
      const payout = newPayout();
      const { id } = valueOf(await stage.provider.createPayout(payout));
      const recipient = { email: stage.email.toUpperCase() };
      expect(valueOf(await stage.provider.createPayout({ ...payout, recipient })).id).toBe(id);
    });

    it('commits a payout once, however often it is asked', async () => {
      const { id, code } = valueOf(await stage.provider.createPayout(newPayout()));
      const committed = valueOf(await stage.provider.commitPayout(id));
      expect(committed.status).not.toBe('created');
      expect(valueOf(await stage.provider.commitPayout(id)).id).toBe(id);
      expect(valueOf(await stage.provider.findPayout(code))?.status).not.toBe('created');
    });

    it('cancels a payout that was not committed, again and again', async () => {
      const { id } = valueOf(await stage.provider.createPayout(newPayout()));
      expect(valueOf(await stage.provider.cancelPayout(id)).status).toBe('canceled');
      expect(valueOf(await stage.provider.cancelPayout(id)).status).toBe('canceled');
    });

    it('refuses what is not there', async () => {
      const nowhere = '00000000-0000-4000-8000-000000000000';
      for (const outcome of [
        await stage.provider.commitPayout(nowhere),
        await stage.provider.cancelPayout(nowhere),
        await stage.provider.cancelPayin(nowhere),
      ]) {
        expect(outcome).toMatchObject({ kind: 'refused', code: 'not-found' });
      }
    });
  });
}
