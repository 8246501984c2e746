//! A hint that an amount is above the operator's limit and needs a second approver.
import { Text } from '@mantine/core';
import { useSession } from '#app/session/session.tsx';
import { needsSecond } from '#parts/action/limit.ts';
import { Amount } from '#parts/money/amount.tsx';

interface Props {
  readonly amount: string;
  readonly currency: string;
}

export function AboveLimit({ amount, currency }: Props) {
  const { approvalLimit } = useSession().session;
  if (approvalLimit === null || !needsSecond(amount, approvalLimit)) return null;
  return (
    <Text size="sm" mt={6}>
      The amount is above the approval limit of{' '}
      <Amount amount={approvalLimit} currency={currency} isStrong />. A second approver is required
      before any payment.
    </Text>
  );
}
