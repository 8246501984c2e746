//! L2: an expired key comes back by rotation, or a key with an expiry becomes one without.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, unrecorded } from '../attack.ts';

const LIFE_MS = 2_000;

export const attack: Attack = {
  id: 'L2',
  title: 'rotate an expired key',
  evidence: unrecorded('a caller that may create keys gains nothing by the attempt'),
  run: async ({ request, arrange, ready, secrets }) => {
    const { marketplaceId } = ready;
    const bearer = secrets.masterKey;
    const create = async (lifeMs: number) => {
      const expiresAt = new Date(Date.now() + lifeMs).toISOString();
      const wanted = { name: 'L2', scopes: ['read'], marketplaceId, expiresAt };
      return String((await arrange('/auth/api-keys', wanted, bearer))['id']);
    };
    const rotate = (id: string) => request(`/auth/api-keys/${id}/rotate`, { body: {}, bearer });
    const [short, long] = [await create(LIFE_MS), await create(3_600_000)];
    const successor = await rotate(long);
    if (successor.status !== 201) throw new Error(`a valid key: ${successor.code}`);
    if (successor.data['expiresAt'] === null) return 'a key without an expiry';
    await sleep(LIFE_MS);
    const { status, code } = await rotate(short);
    if (status === 201) return 'a valid key in place of an expired one';
    if (code !== 'INVALID_STATE') throw new Error(`an expired key: ${code}`);
    return undefined;
  },
  withoutFix: {
    file: 'apps/server/src/access/keys/rotate-api-key.ts',
    find: 'refuseEnded(old, tx.now);\n    const { overlapSeconds',
    replace: 'const { overlapSeconds',
  },
};
