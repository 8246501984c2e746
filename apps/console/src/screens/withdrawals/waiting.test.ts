import { expect, it } from 'vitest';
import { waitingOf } from '#screens/withdrawals/waiting.ts';

it('finds the withdrawals among pending approvals, and gives the newest approval', () => {
  const approvals = [
    { id: 'apr_3', action: 'commitWithdrawal', resourceId: 'wd_1' },
    { id: 'apr_2', action: 'creditBalance', resourceId: 'usr_1' },
    { id: 'apr_1', action: 'commitWithdrawal', resourceId: 'wd_1' },
  ] as const;
  expect([...waitingOf(approvals)]).toEqual([['wd_1', 'apr_3']]);
});
