//! A key of a marketplace has leaked, and was used to create a withdrawal.
import type { SandboxFacts } from '../../../../apps/cli/src/local-world.ts';
import { poster } from '../../../harness/api.ts';
import { createPerson } from '../../../harness/people.ts';
import { needed } from '../../../harness/set.ts';
import { read, type Situation, until } from '../situation.ts';

export const leakedApiKey: Situation = {
  start: async (one) => {
    const { master, marketplace, post, set } = one;
    const { id: userId } = await createPerson(post, { credit: '50.00' });
    const input = { name: 'shop', scopes: ['read', 'write'], marketplaceId: marketplace.id };
    const { id, key } = await master('/auth/api-keys', input);
    const steal = poster({ api: set.api, apiKey: String(key) });
    const { escrowFeeAddress: ref } = needed(set.set.sandbox, 'sandbox')
      .readyInfo as unknown as SandboxFacts;
    const destination = { type: 'crypto', ref };
    await steal('/withdrawals', { userId, amount: '20.00', currency: 'USD', destination });
    const path = `/audit/logs?actorId=${String(id)}`;
    await until(async () => (await read(one, path)).length > 0);
    return { LEAKED: String(key) };
  },
};
