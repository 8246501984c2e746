//! P1: with a leaked key, an attacker pays the money of a user to an address of their own.
import { Keypair } from '@stellar/stellar-sdk';
import { type Attack, audited } from '../attack.ts';
import type { AttackWorld } from '../world.ts';

/** What a user's new destinations together may be paid. */
const ALLOWED_XLM = 100;
/** At once, and in parts that are each within the allowance. */
const PARTS = [300, 60, 60, 60, 60];

export const attack: Attack = {
  id: 'P1',
  title: 'pay out the money of a user to a new address with a leaked key',
  isQuick: true,
  evidence: audited('WITHDRAWAL_COMMIT_REFUSED'),
  run: async (world) => {
    const { arrange, createUser, request, ready } = world;
    const userId = await createUser();
    await arrange(`/users/${userId}/balance/credit`, { amount: '540.00', currency: 'XLM' });
    const ref = await openAccount(world);
    const ids: string[] = [];
    for (const [at, part] of PARTS.entries()) {
      // Each memo makes another destination of the address.
      const destination = { type: 'crypto', ref, memo: String(at) };
      const terms = { userId, amount: `${part}.00`, currency: 'XLM', destination };
      ids.push(String((await arrange('/withdrawals', terms))['id']));
    }
    const bearer = ready.apiKey;
    const replies = await Promise.all(
      ids.map((id) => request(`/withdrawals/${id}/commit`, { body: {}, bearer })),
    );
    const unexpected = replies.find(
      ({ status, code }) => status === 422 && code !== 'DESTINATION_COOLING',
    );
    if (unexpected !== undefined) throw new Error(`it was refused with ${unexpected.code}`);
    const paid = PARTS.filter((_, at) => replies[at]?.status !== 422);
    const sum = paid.reduce((total, part) => total + part, 0);
    return sum > ALLOWED_XLM ? `${sum} XLM at a new address` : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/payments/payout-limits/claim-payout.ts',
    find: 'if (waitEnd !== undefined && isAboveLimit(used.cooling + minor, allowance.minor))',
    replace: 'if (waitEnd !== undefined && isAboveLimit(0n, allowance.minor))',
  },
};

async function openAccount({ sandbox }: AttackWorld): Promise<string> {
  const address = Keypair.random().publicKey();
  const response = await fetch(`${sandbox}/control/ledger/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, xlm: '10' }),
  });
  if (!response.ok) throw new Error(`the sandbox returned ${response.status}`);
  return address;
}
