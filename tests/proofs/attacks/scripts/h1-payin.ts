//! H1: with the secret of the payment webhook, an attacker reports a payment that was not made.
import { randomUUID } from 'node:crypto';
import { type Attack, alarmed } from '../attack.ts';

export const attack: Attack = {
  id: 'H1-payin',
  title: 'forge a payment and spend it',
  isQuick: true,
  evidence: alarmed('money unconfirmed by provider'),
  run: async ({ request, arrange, createUser, sendPaymentWebhook, ready }) => {
    const email = `${randomUUID()}@example.test`;
    const userId = await createUser({ email });
    await arrange(`/users/${userId}/payment-account/link`);
    const { id, providerPayinId } = await arrange('/topups', { userId, amount: '50.00' });
    const forged = await sendPaymentWebhook({
      eventId: randomUUID(),
      eventType: 'payin.succeeded',
      occurredAt: new Date().toISOString(),
      data: { id: providerPayinId, code: id, amount: 50, currency: 'USD', status: 'CONFIRMED' },
    });
    if (forged.status !== 200) throw new Error(`the webhook returned ${forged.status}`);
    const bearer = ready.apiKey;
    const balance = await request(`/users/${userId}/balance`, { bearer });
    if (balance.data['available'] !== '50.00') throw new Error('the balance does not show it');
    const amount = '1.00';
    const destination = { type: 'payment_account', ref: email };
    const takes: readonly [string, object][] = [
      ['/withdrawals', { userId, amount, currency: 'USD', destination }],
      [`/users/${userId}/balance/reserve`, { amount }],
      [`/users/${userId}/balance/debit`, { amount }],
    ];
    const gained: string[] = [];
    for (const [path, body] of takes) {
      const { status, code } = await request(path, { body, bearer });
      if (status < 300) gained.push(path);
      else if (code !== 'INSUFFICIENT_FUNDS') throw new Error(`${path} was refused with ${code}`);
    }
    return gained.length === 0 ? undefined : `forged money was taken by ${gained.join(', ')}`;
  },
  withoutFix: {
    file: 'apps/server/src/payments/topups/topup-moves.ts',
    find: "await creditTopup(tx, topup, by === 'record')",
    replace: 'await creditTopup(tx, topup, by.length > 0)',
  },
};
