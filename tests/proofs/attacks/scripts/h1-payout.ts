//! H1: with the secret of the payment webhook, an attacker reports a payout as failed that is
//! under way, and takes its money a second time.
import { randomUUID } from 'node:crypto';
import { decide } from '../../../harness/sandbox.ts';
import { type Attack, alarmed } from '../attack.ts';

export const attack: Attack = {
  id: 'H1-payout',
  title: 'forge the failure of a payout and withdraw its money again',
  evidence: alarmed('money unconfirmed by provider'),
  run: async ({ request, arrange, createUser, sendPaymentWebhook, sandbox, ready }) => {
    const email = `signup.${randomUUID()}@example.test`;
    const userId = await createUser({ email });
    await arrange(`/users/${userId}/payment-account/link`);
    // Paid at the provider, so that the user has money that is confirmed.
    const topupId = String((await arrange('/topups', { userId, amount: '20.00' }))['id']);
    await decide(sandbox, 'payins', topupId, 'CONFIRMED');
    await arrange(`/topups/${topupId}/refresh`);
    const destination = { type: 'payment_account', ref: email };
    const terms = { userId, amount: '20.00', currency: 'USD', destination };
    const id = String((await arrange('/withdrawals', terms))['id']);
    // It waits for its recipient, so it is under way.
    await arrange(`/withdrawals/${id}/commit`);
    const forged = await sendPaymentWebhook({
      eventId: randomUUID(),
      eventType: 'payout.failed',
      occurredAt: new Date().toISOString(),
      data: { id, code: id, amount: 20, currency: 'USD', status: 'FAILED' },
    });
    if (forged.status !== 200) throw new Error(`the webhook returned ${forged.status}`);
    const bearer = ready.apiKey;
    const balance = await request(`/users/${userId}/balance`, { bearer });
    if (balance.data['available'] !== '20.00') throw new Error('the hold was not returned');
    const { status, code } = await request('/withdrawals', { body: terms, bearer });
    if (status < 300) return 'the money of one payout was withdrawn twice';
    if (code !== 'INSUFFICIENT_FUNDS') throw new Error(`it was refused with ${code}`);
    return undefined;
  },
  withoutFix: {
    file: 'apps/server/src/payments/withdrawals/apply-payout.ts',
    find: "return by === 'poll' || committedAt === null;",
    replace: 'return by.length > 0 || committedAt === null;',
  },
};
