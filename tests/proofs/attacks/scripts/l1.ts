//! L1: every forged key costs a query, before any limit counts it.
import { newKeyText } from '../../../../apps/server/src/access/keys/key-text.ts';
import { mapAtOnce } from '../../../../apps/server/src/platform/semaphore.ts';
import { type Attack, alarmed } from '../attack.ts';

const KEYS = 1000;
const LOOKUPS_MAX = 100;
/** An address of its own: other attacks come from other ones. */
const FROM = '127.0.0.61';

export const attack: Attack = {
  id: 'L1',
  title: `send ${KEYS} forged keys`,
  evidence: alarmed('suspicious request refused'),
  run: async ({ request, arrange, ready }) => {
    await arrange('/users', { externalUserId: 'l1' });
    const forged = Array.from({ length: KEYS }, () => newKeyText('c1'));
    const statuses = await mapAtOnce(32, forged, async (bearer) => {
      const { status } = await request('/auth/me', { bearer, from: FROM });
      return status;
    });
    const known = await request('/auth/me', { bearer: ready.apiKey, from: FROM });
    if (known.status !== 200) return `a known key from the same address got ${known.status}`;
    // Only a key that was looked up is unknown; the others are refused unread.
    const lookups = statuses.filter((status) => status === 401).length;
    const refused = statuses.filter((status) => status === 429).length;
    if (lookups + refused < KEYS)
      throw new Error(`the replies were ${[...new Set(statuses)].join(', ')}`);
    return lookups > LOOKUPS_MAX ? `${lookups} look-ups in the database` : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/platform/unseen-lookups.ts',
    find: 'if (misses.count < MISSES_MAX) return misses;',
    replace: 'return misses;',
  },
};
