//! L6: a stored response is given to a request that only differs in its query.
import { randomUUID } from 'node:crypto';
import { type Attack, alarmed } from '../attack.ts';

export const attack: Attack = {
  id: 'L6',
  title: 'reuse an Idempotency-Key with another query',
  isQuick: true,
  evidence: alarmed('suspicious request refused'),
  run: async ({ request, createUser, ready }) => {
    const id = await createUser();
    const headers = { 'idempotency-key': randomUUID() };
    const sync = (currency: string) =>
      request(`/users/${id}/balance/sync?currency=${currency}`, {
        body: {},
        headers,
        bearer: ready.apiKey,
      });
    const first = await sync('USDC');
    if (first.status >= 400) throw new Error(`the first call returned ${first.status}`);
    const second = await sync('XLM');
    return second.status < 300 ? 'another request got the stored response' : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/api/http/serve.ts',
    find: 'requestHashOf(request.body, request.query)',
    replace: 'requestHashOf(request.body, {})',
  },
};
