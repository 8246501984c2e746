//! M6: one operator pays out any sum in parts below the approval limit.
import { type Attack, audited } from '../attack.ts';
import { ageDestinations, createWithdrawal } from '../payouts.ts';

/** Each below the limit of 500.00, two of them above it. */
const PART = '400.00';
const PARTS = 4;

export const attack: Attack = {
  id: 'M6',
  title: 'pay out four parts below the approval limit, alone and at the same time',
  isQuick: true,
  evidence: audited('APPROVAL_REQUESTED'),
  run: async (world) => {
    const finance = world.operator('finance');
    const ids = [];
    for (let part = 0; part < PARTS; part += 1) ids.push(await createWithdrawal(world, PART));
    // A new destination would need a second approver by itself.
    await ageDestinations(world);
    const replies = await Promise.all(
      ids.map((id) => world.act(finance, `/withdrawals/${id}/commit`, { body: {} })),
    );
    const statuses = replies.map(({ status, code }) => `${status} ${code ?? ''}`.trim());
    const paid = replies.filter(({ status }) => status === 200).length;
    const waiting = replies.filter(({ status }) => status === 202).length;
    if (paid + waiting < PARTS) throw new Error(`the commits returned ${statuses.join(', ')}`);
    return paid > 1 ? `${paid} × ${PART} without a second approver` : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/access/approvals/decided-alone.ts',
    find: 'if (isAboveLimit(BigInt((row as { total: string }).total), limitMinor))',
    replace: 'if (row === undefined)',
  },
};
