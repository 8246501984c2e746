//! One exception: both sides, its cause in words, and the actions on it.
import type { ReconciliationException } from '@holdfast/sdk';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { Actor } from '#parts/actor.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { ACTION_WORDS, CAUSE_WORDS } from '#screens/reconciliation/effects.ts';
import { Resolve } from '#screens/reconciliation/resolve.tsx';

interface Props {
  /** Undefined while none is open. */
  readonly id: string | undefined;
  readonly close: () => void;
}

export function ExceptionDrawer({ id, close }: Props) {
  return (
    <SideDrawer
      isOpen={id !== undefined}
      close={close}
      size="xl"
      title={id === undefined ? '' : `Exception ${id}`}
    >
      {id !== undefined && <Read key={id} id={id} />}
    </SideDrawer>
  );
}

function Read({ id }: { readonly id: string }) {
  const exception = useRead('Reconciliation', ['exception', id], (holdfast, signal) =>
    holdfast.reconciliation.getException(id, { signal }),
  );
  return <Loaded of={exception}>{(found) => <Shown exception={found} />}</Loaded>;
}

function Shown({ exception }: { readonly exception: ReconciliationException }) {
  const { cause, status, amount, currency, resolution } = exception;
  return (
    <Stack>
      <Text>{CAUSE_WORDS[cause]}</Text>
      <Facts
        rows={[
          ['Status', <StateBadge key="state" state={status} />],
          ['Cause', wordsOf(cause)],
          [
            'Difference',
            <Amount key="amount" amount={amount} currency={currency} isChange isStrong />,
          ],
          ['Compared with', wordsOf(exception.provider)],
          ['Record', <IdLink key="about" id={exception.resourceId} />],
          ['First seen in run', <IdLink key="first" id={exception.firstRunId} />],
          ['Last seen in run', <IdLink key="last" id={exception.lastRunId} />],
          ['Found', <Moment key="found" at={exception.createdAt} />],
        ]}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Panel title="Holdfast">
          <RawJson value={exception.ours} label="Holdfast record" />
        </Panel>
        <Panel title={wordsOf(exception.provider)}>
          <RawJson value={exception.theirs} label={`${wordsOf(exception.provider)} record`} />
        </Panel>
      </SimpleGrid>
      {resolution === null ? (
        <Resolve exception={exception} />
      ) : (
        <Panel title="Resolution">
          <Facts
            rows={[
              ['Resolved by', <Actor key="by" id={resolution.resolvedBy} />],
              ['Action', ACTION_WORDS[resolution.action].label],
              ['Reason', resolution.reason],
              ['Resolved', <Moment key="when" at={resolution.resolvedAt} />],
            ]}
          />
        </Panel>
      )}
    </Stack>
  );
}
