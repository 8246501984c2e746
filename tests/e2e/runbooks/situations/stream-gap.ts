//! The handler of a webhook endpoint has confirmed events that it did not store.
import { openReceiver } from '../../../../apps/server/src/testing/webhook-receiver.ts';
import { createUser } from '../../../harness/people.ts';
import { read, type Situation, until } from '../situation.ts';

export const streamGap: Situation = {
  start: async (one) => {
    const { post, cleanup } = one;
    const receiver = await openReceiver();
    cleanup.defer(() => receiver.close());
    await post('/webhook-endpoints', { url: receiver.url });
    await createUser(post, { externalUserId: 'ada' });
    await until(async () => receiver.received.length > 0);
    const [last] = await read(one, '/events/log');
    const id = await createUser(post, { externalUserId: 'boris' });
    await post(`/users/${id}/balance/credit`, { amount: '10.00', reference: 'first' });
    const isSent = () => receiver.received.some(({ text }) => text.includes('balance.credited'));
    await until(async () => isSent());
    return { LAST: String(last?.['eventId']) };
  },
};
