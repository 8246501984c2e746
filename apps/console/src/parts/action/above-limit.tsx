//! A hint when the action needs a second approver: by its amount, or by the sum of a day.
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
  if (approvalLimit === null) return null;
  const limit = <Amount amount={approvalLimit} currency={currency} isStrong />;
  return (
    <Text size="sm" mt={6}>
      {needsSecond(amount, approvalLimit) ? (
        <>
          The amount is above the approval limit of {limit}. A second approver is required before
          any payment.
        </>
      ) : (
        <>
          A second approver is required if your decisions of the last 24 hours, or those for the
          same user, exceed {limit} in total.
        </>
      )}
    </Text>
  );
}
