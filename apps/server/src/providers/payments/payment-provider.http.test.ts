import { beforeEach, describe, expect, it } from 'vitest';
import {
  doneValue,
  newPayin,
  paymentProviderSuite,
} from '../../testing/providers/payment-provider-suite.ts';
import { adaptersOf, useSandbox } from '../../testing/sandbox.ts';
import { useOpened } from '../../testing/use-world.ts';

const sandbox = useSandbox();
const provider = useOpened(async () => adaptersOf(sandbox).payments);
beforeEach(() => sandbox.clearFaults());

paymentProviderSuite('sandbox', async () => ({
  provider,
  email: 'ada.lovelace@example.com',
  unknownEmail: 'unknown@example.com',
  checkoutUrlOf: (id) => `${sandbox.url}/payin/${id}`,
}));

let count = 0;
const newPayout = (changes = {}) => {
  count += 1;
  const code = `wd_of_this_test_${count}`;
  return {
    code,
    recipient: { email: 'bo@example.com' },
    amountMinor: 500n,
    note: 'so',
    ...changes,
  };
};
const effectsOf = async (code: string) =>
  (await sandbox.journal()).filter((entry) => entry.code === code).map(({ effect }) => effect);

describe('the status of a payin', () => {
  it('comes from its record, from its payment to its end', async () => {
    const { code, id } = doneValue(await provider.createPayin(newPayin()));
    await sandbox.setPayin(code, 'CONFIRMED');
    const paid = doneValue(await provider.findPayin(code));
    expect(paid).toMatchObject({ status: 'confirmed', amountMinor: 2_550n, netMinor: 2_514n });
    expect(await provider.cancelPayin(id)).toMatchObject({ kind: 'refused', code: 'payin-closed' });
    await sandbox.control('POST', `/payins/${code}/reverse`);
    expect(doneValue(await provider.findPayin(code))).toMatchObject({ status: 'reversed' });
    const { items } = doneValue(await provider.listPayins({ after: null, count: 10 }));
    expect(items.find((item) => item.code === code)).toMatchObject({
      status: 'reversed',
      amountMinor: 2_514n,
      grossMinor: 2_550n,
    });
  });
});

describe('a lost reply', () => {
  it('to a creation: the record is found by its code in the same call', async () => {
    for (const kind of ['drop-after', 'error-after', 'garbage']) {
      await sandbox.arm('payment', 'payin.create', kind);
      const payin = newPayin();
      const created = doneValue(await provider.createPayin(payin));
      expect(created, kind).toMatchObject({ code: payin.code, status: 'created' });
      expect(await effectsOf(payin.code)).toEqual(['payment.payin.create']);
    }
  });

  it('to a request that never arrived: unknown, and the next call creates it', async () => {
    for (const kind of ['drop-before', 'error-before']) {
      await sandbox.arm('payment', 'payout.create', kind);
      const payout = newPayout();
      expect(await provider.createPayout(payout), kind).toMatchObject({ kind: 'unknown' });
      expect(doneValue(await provider.createPayout(payout)).status).toBe('created');
      expect(await effectsOf(payout.code)).toEqual(['payment.payout.create']);
    }
  });

  it('to a commit: the status decides', async () => {
    for (const kind of ['drop-after', 'error-after', 'garbage']) {
      const { id, code } = doneValue(await provider.createPayout(newPayout()));
      await sandbox.arm('payment', 'payout.commit', kind);
      expect(doneValue(await provider.commitPayout(id)).status, kind).not.toBe('created');
      doneValue(await provider.commitPayout(id));
      const commits = (await effectsOf(code)).filter((one) => one === 'payment.payout.commit');
      expect(commits).toHaveLength(1);
    }
  });

  it('to a commit that never arrived: unknown, and the next call commits', async () => {
    const { id, code } = doneValue(await provider.createPayout(newPayout()));
    await sandbox.arm('payment', 'payout.commit', 'drop-before');
    expect(await provider.commitPayout(id)).toMatchObject({ kind: 'unknown' });
    expect(doneValue(await provider.commitPayout(id)).status).not.toBe('created');
    expect(await effectsOf(code)).toContain('payment.payout.commit');
  });

  it('to a cancellation: the status decides', async () => {
    const { id } = doneValue(await provider.createPayin(newPayin()));
    await sandbox.arm('payment', 'payin.cancel', 'drop-after');
    expect(doneValue(await provider.cancelPayin(id)).status).toBe('canceled');
  });
});

describe('a refusal', () => {
  it('counts when nothing was created', async () => {
    await sandbox.arm('payment', 'payout.create', 'reject');
    const payout = newPayout();
    const outcome = await provider.createPayout(payout);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'unprocessable' });
    expect(await effectsOf(payout.code)).toEqual([]);
  });

  it('of a commit leaves the payout as it was', async () => {
    const payout = newPayout({ amountMinor: 900n });
    const { id } = doneValue(await provider.createPayout(payout));
    await sandbox.control('POST', '/payment', { balance: '1.00' });
    const outcome = await provider.commitPayout(id);
    await sandbox.control('POST', '/payment', { balance: '1000000.00' });
    expect(outcome).toMatchObject({ kind: 'refused', code: 'balance-too-low' });
    expect(doneValue(await provider.findPayout(payout.code))?.status).toBe('created');
  });
});

describe('a payout', () => {
  it('to a bank is created and committed like any other', async () => {
    const bank = newPayout({ recipient: { bankRef: 'DE02 1203' } });
    const { id, recipient } = doneValue(await provider.createPayout(bank));
    expect(recipient).toEqual({ bankRef: 'DE02 1203' });
    expect(doneValue(await provider.commitPayout(id)).status).not.toBe('created');
  });
});

describe('a provider that is down', () => {
  it('gives every call an unknown outcome', async () => {
    const { payments } = adaptersOf({ ...sandbox, url: 'http://127.0.0.1:9' });
    for (const outcome of [
      await payments.findAccount('ada@example.com'),
      await payments.createPayin(newPayin()),
      await payments.createPayout(newPayout()),
      await payments.commitPayout('x'),
      await payments.cancelPayin('x'),
      await payments.findPayin('x'),
      await payments.balance(),
    ]) {
      expect(outcome.kind).toBe('unknown');
    }
  });
});
