//! Recovery: whether the database was set back or failed over, what was found, and its opening.
import type { Recovery as Found, RecoveryFinding } from '@holdfast/sdk';
import { Group, Stack, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { useSession } from '#app/session/session.tsx';
import { TwoAdminsAction } from '#parts/action/two-admins-action.tsx';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

const EVERY_MS = 5_000;
const FINDINGS_SHOWN = 50;

type Step = Found['steps'][number];

const STEPS: readonly Column<Step>[] = [
  { title: 'Step', show: ({ name }) => name },
  { title: 'Detail', show: ({ detail }) => detail },
  { title: 'Finished', isEnd: true, show: ({ finishedAt }) => <Moment at={finishedAt} /> },
];

// biome-ignore format: a table is the one thing exempt from the line limit.
const FINDINGS: readonly Column<RecoveryFinding>[] = [
  { title: 'Finding', show: ({ kind }) => <StateBadge state={kind} /> },
  { title: 'Amount', isEnd: true, show: ({ amount, currency }) => (amount === null ? '–' : [amount, currency].join(' ').trim()) },
  { title: 'Marketplace', show: ({ marketplaceId }) => idText(marketplaceId) },
  { title: 'Resource', show: ({ resourceId, userId }) => idText(resourceId ?? userId) },
  { title: 'Detail', show: ({ detail, reference }) => <Detail detail={detail} reference={reference} /> },
];

const idText = (id: string | null) => (id === null ? '–' : <span className="hf-id">{id}</span>);

function Detail({ detail, reference }: Pick<RecoveryFinding, 'detail' | 'reference'>) {
  return (
    <>
      {detail}
      <Text size="xs" c="dimmed" className="hf-id">
        {reference}
      </Text>
    </>
  );
}

export function Screen() {
  const { operator } = useSession().session;
  return (
    <>
      <ScreenHead
        title="Recovery"
        note="Whether the database has lost writes, after a restore or a failover."
      />
      {operator.isPlatformAdmin ? <Recovery /> : <NotYours />}
    </>
  );
}

function NotYours() {
  return (
    <div className="hf-frame">
      <EmptyState title="Platform admins only">
        Only platform admins can open a database after its recovery.
      </EmptyState>
    </div>
  );
}

function Recovery() {
  const found = useRead(
    'System',
    ['recovery'],
    (holdfast, signal) => holdfast.recovery.get({ signal }),
    { everyMs: EVERY_MS },
  );
  return <Loaded of={found}>{(recovery) => <Shown recovery={recovery} />}</Loaded>;
}

function Shown({ recovery }: { readonly recovery: Found }) {
  const { status, reason, lostFrom, checkedAt, openedAt, steps, findings, openRequested } =
    recovery;
  return (
    <Panel
      title="Database"
      actions={
        <Group>
          {status === 'OPEN' ? (
            <StateBadge state="ok" words="Open" />
          ) : (
            <StateBadge state={status} />
          )}
          {status === 'PROMOTED' || status === 'REWOUND' ? <Open recovery={recovery} /> : null}
        </Group>
      }
    >
      <Stack>
        <Facts
          rows={[
            ['Reason', reason],
            ['Writes may be lost since', <Moment key="lost" at={lostFrom} />],
            ['Checked', <Moment key="checked" at={checkedAt} />],
            ['Opened', <Moment key="opened" at={openedAt} />],
          ]}
        />
        {openRequested !== null && (
          <Text size="sm">
            <Actor id={openRequested.requestedBy} /> requested to open it: {openRequested.reason}
          </Text>
        )}
        {steps.length > 0 && (
          <ShortTable label="Recovery" columns={STEPS} rows={steps} idOf={({ name }) => name} />
        )}
        {findings > 0 && <Findings count={findings} />}
      </Stack>
    </Panel>
  );
}

function Findings({ count }: { readonly count: number }) {
  const page = useRead(
    'System',
    ['findings', String(count)],
    (holdfast, signal) =>
      holdfast.recovery.listFindings({ limit: FINDINGS_SHOWN }, { signal }).page(),
    { everyMs: EVERY_MS },
  );
  return (
    <Loaded of={page}>
      {({ items }) => (
        <>
          <ShortTable
            label="Findings"
            columns={FINDINGS}
            rows={items}
            idOf={({ id }) => id}
            minWidth={720}
          />
          {count > items.length && (
            <Text size="sm">
              The newest {items.length} of {count}. holdfast recover findings lists all.
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}

function Open({ recovery }: { readonly recovery: Found }) {
  const { holdfast } = useSession();
  const { openRequested, steps } = recovery;
  const isEnded = steps.some(({ name, finishedAt }) => name === 'end' && finishedAt !== null);
  return (
    <TwoAdminsAction
      label="Open database"
      requestLabel="Request to open"
      requestedBy={openRequested?.requestedBy}
      whyNot={isEnded ? undefined : 'The recovery is not finished yet'}
      effect="Payments of all marketplaces are sent again immediately."
      requestEffect="Another platform admin has to confirm before the database opens."
      note="What was frozen or revoked in the lost time has to be frozen or revoked again before."
      done="Database opened"
      touches={['System', 'Home']}
      run={({ reason, totp }) => holdfast.recovery.openDatabase({ reason, totp }, { reason })}
    />
  );
}
