//! Verifies an account: each balance must follow from the one before, and the network must agree.
import type { BalanceVerification, LedgerAccount } from '@holdfast/sdk';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { Amount } from '#parts/amount.tsx';
import { ErrorNote } from '#parts/error-note.tsx';
import { Facts } from '#parts/facts.tsx';
import { Panel } from '#parts/panel.tsx';
import { checkEntries, type EntryCheck } from '#screens/ledger/check-entries.ts';

/** How many of the newest entries are recomputed on the page. */
const ENTRIES_MAX = 500;

export function Verify({ account }: { readonly account: LedgerAccount }) {
  const holdfast = useHoldfast();
  const [check, setCheck] = useState<EntryCheck>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const entries = holdfast.ledger.listAccountEntries(account.id, { limit: 100 });
      setCheck(checkEntries(await entries.toArray(ENTRIES_MAX), account.id));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel
      title="Verify"
      actions={
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => void verify()}>
          Recompute
        </Button>
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Recomputes the newest {ENTRIES_MAX} entries here in the page: each balance must follow
          from the one before and the amount.
        </Text>
        {error !== undefined && <ErrorNote error={error} />}
        {check && <EntryVerdict check={check} />}
        {account.kind === 'user' && account.ownerId !== null && (
          <NetworkCheck userId={account.ownerId} currency={account.currency} />
        )}
      </Stack>
    </Panel>
  );
}

function EntryVerdict({ check: { checked, wrong, isPossible } }: { readonly check: EntryCheck }) {
  if (!isPossible) {
    return (
      <Alert variant="light" color="gray" title="Nothing to compare" role="status">
        The marketplace's own accounts keep no running balance; the chart of accounts proves them
        together.
      </Alert>
    );
  }
  if (wrong) {
    return (
      <Alert variant="outline" color="red" title={`Entry ${wrong.entryId} is wrong`} role="alert">
        {wrong.says}
      </Alert>
    );
  }
  return (
    <Alert variant="outline" color="teal" title="Every balance follows" role="status">
      {checked} steps recomputed, no difference.
    </Alert>
  );
}

interface NetworkProps {
  readonly userId: string;
  readonly currency: LedgerAccount['currency'];
}

function NetworkCheck({ userId, currency }: NetworkProps) {
  const holdfast = useHoldfast();
  const [found, setFound] = useState<BalanceVerification>();
  const [error, setError] = useState<unknown>();
  const compare = async () => {
    const answer = await holdfast.balances.verify(userId, { currency }).result();
    setFound(answer.ok ? answer.data : undefined);
    setError(answer.ok ? undefined : answer.error);
  };
  return (
    <>
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => void compare()}>
          Compare with the ledger network
        </Button>
      </Group>
      {error !== undefined && <ErrorNote error={error} />}
      {found && (
        <Facts
          rows={[
            ['They agree', found.isValid ? 'yes' : 'no'],
            [
              'On the network',
              <Amount
                key="there"
                amount={found.onChainBalance.balance}
                currency={found.onChainBalance.asset}
              />,
            ],
            [
              'Difference',
              <Amount
                key="difference"
                amount={found.difference}
                currency={found.onChainBalance.asset}
              />,
            ],
            ['Explained by transfers', found.inFlight],
            ['Below one cent', found.dust],
          ]}
        />
      )}
    </>
  );
}
