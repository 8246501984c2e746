//! Verifies an account: each balance follows from the one before, and the blockchain agrees.
import type { BalanceVerification, LedgerAccount } from '@holdfast/sdk';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { Facts } from '#parts/facts.tsx';
import { Amount } from '#parts/money/amount.tsx';
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
      title="Verification"
      actions={
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => void verify()}>
          Verify entries
        </Button>
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Recalculates the newest {ENTRIES_MAX} entries in your browser: each balance must equal the
          previous balance plus the amount.
        </Text>
        {error !== undefined && <ErrorAlert error={error} />}
        {check && <EntryVerdict check={check} />}
        {account.kind === 'user' && account.ownerId !== null && (
          <NetworkCheck userId={account.ownerId} currency={account.currency} />
        )}
      </Stack>
    </Panel>
  );
}

function EntryVerdict({ check }: { readonly check: EntryCheck }) {
  const { entries, checked, wrong, isPossible } = check;
  if (entries === 0) {
    return (
      <Alert variant="light" color="gray" title="No entries to verify" role="status">
        Entries appear with the first transaction on this account.
      </Alert>
    );
  }
  if (!isPossible) {
    return (
      <Alert variant="light" color="gray" title="No running balance" role="status">
        The marketplace's own accounts have no running balance. Their total is verified on the Chart
        of accounts tab of the Ledger page.
      </Alert>
    );
  }
  if (wrong) {
    return (
      <Alert
        variant="outline"
        color="red"
        title={`Running balance is wrong after entry ${wrong.entryId}`}
        role="alert"
      >
        {wrong.message}
      </Alert>
    );
  }
  if (checked === 0) {
    return (
      <Alert variant="light" color="gray" title="Nothing to compare" role="status">
        At least two entries are needed to verify a running balance.
      </Alert>
    );
  }
  return (
    <Alert variant="outline" color="teal" title="Balances verified" role="status">
      {checked === 1 ? '1 balance' : `${checked} balances`} recalculated. No differences found.
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
    const result = await holdfast.balances.verify(userId, { currency }).result();
    setFound(result.ok ? result.data : undefined);
    setError(result.ok ? undefined : result.error);
  };
  const asset = found?.onChainBalance.asset ?? currency;
  return (
    <>
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => void compare()}>
          Compare with blockchain
        </Button>
      </Group>
      {error !== undefined && <ErrorAlert error={error} />}
      {found && (
        <Facts
          rows={[
            ['Match', found.isValid ? 'Yes' : 'No'],
            [
              'Blockchain balance',
              <Amount key="there" amount={found.onChainBalance.balance} currency={asset} />,
            ],
            [
              'Difference (books less blockchain)',
              <Amount key="difference" amount={found.difference} currency={asset} />,
            ],
            ['In transit', <Part key="transit" amount={found.inFlight} currency={asset} />],
            ['Below one cent', <Part key="dust" amount={found.dust} currency={asset} />],
          ]}
        />
      )}
    </>
  );
}

interface PartProps {
  readonly amount: string | undefined;
  readonly currency: string;
}

function Part({ amount, currency }: PartProps) {
  return amount === undefined ? '–' : <Amount amount={amount} currency={currency} />;
}
