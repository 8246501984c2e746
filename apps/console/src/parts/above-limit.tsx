//! Says beforehand that an amount is above one's limit, so that a second person has to agree.
import { Text } from '@mantine/core';
import { useSession } from '#app/session.tsx';
import { Amount } from '#parts/amount.tsx';
import { needsSecond } from '#parts/limit.ts';

interface Props {
  readonly amount: string;
  readonly currency: string;
}

export function AboveLimit({ amount, currency }: Props) {
  const { approvalLimit } = useSession().session;
  if (approvalLimit === null || !needsSecond(amount, approvalLimit)) return null;
  return (
    <Text size="sm" mt={6}>
      Above the limit of <Amount amount={approvalLimit} currency={currency} isStrong />: a second
      person has to agree before anything is paid.
    </Text>
  );
}
