//! The secret of an endpoint has leaked, and a forged notification has come in.
import { openReceiver } from '../../../../apps/server/src/testing/webhook-receiver.ts';
import { type Situation, untilLogged } from '../situation.ts';

export const webhookSecret: Situation = {
  start: async (one) => {
    const { set, post, cleanup } = one;
    const receiver = await openReceiver();
    cleanup.defer(() => receiver.close());
    await post('/webhook-endpoints', { url: receiver.url });
    const body = JSON.stringify({ type: 'payin.confirmed' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${set.api}/api/v1/webhooks/payment-provider`, { method: 'POST', headers, body });
    await untilLogged(one, 'WEBHOOK_SIGNATURE_INVALID');
    return {};
  },
};
