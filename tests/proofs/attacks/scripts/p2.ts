//! P2: with a leaked key, an attacker pays out the money of all users of a marketplace.
import { type Attack, alarmed } from '../attack.ts';
import { ageDestinations, createWithdrawal } from '../payouts.ts';

/** Each below the limit of a user; together above the 2000.00 of a marketplace. */
const PART = 400;
const USERS = 8;
const MARKETPLACE_LIMIT = 2000;

export const attack: Attack = {
  id: 'P2',
  title: 'pay out the money of all users of a marketplace at the same time with a leaked key',
  isQuick: true,
  evidence: alarmed('suspicious request refused'),
  run: async (world) => {
    const { arrange, request, secrets } = world;
    const fields = { name: 'leaked', scopes: ['read', 'write'] };
    const bearer = String((await arrange('/auth/api-keys', fields, secrets.masterKey))['key']);
    const ids: string[] = [];
    for (let user = 0; user < USERS; user += 1)
      ids.push(await createWithdrawal(world, `${PART}.00`, bearer));
    // An attacker who waits until the destinations have waited.
    await ageDestinations(world);
    const replies = await Promise.all(
      ids.map((id) => request(`/withdrawals/${id}/commit`, { body: {}, bearer })),
    );
    const refused = replies.filter(({ status }) => status === 422);
    if (refused.some(({ code }) => code !== 'LIMIT_REACHED'))
      throw new Error(`they were refused with ${refused.map(({ code }) => code).join(', ')}`);
    const sum = (USERS - refused.length) * PART;
    if (sum === 0) throw new Error('nothing was paid out');
    return sum > MARKETPLACE_LIMIT ? `${sum}.00 of a marketplace` : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/payments/payout-limits/claim-payout.ts',
    find: '!isAboveLimit(used[whose] + minor, limit)',
    replace: '!isAboveLimit(used.user + minor, limit)',
  },
};
