//! Solvency: what is there against what is owed, term by term; payouts paused or not.
import type { Solvency } from '@holdfast/sdk';
import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { useSession } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { Amount } from '#parts/amount.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { assetsOf, liabilitiesOf, owedBy, sourcesOf } from '#screens/solvency/equation.ts';
import { SideTable } from '#screens/solvency/side-table.tsx';

const EVERY_MS = 15_000;

const STATUS_WORDS: Readonly<Record<Solvency['status'], string>> = {
  BALANCED: 'What is there is what is owed, to the seventh place.',
  UNSETTLED: 'They differ by no more than what is known to be on its way.',
  SURPLUS: 'More is there than is owed: somebody sent it, or capital was not recorded.',
  BREACH: "Something is missing, or the provider's balance is not what our records say.",
};

export function Screen() {
  const solvency = useRead(
    'Solvency',
    ['reading'],
    (holdfast, signal) => holdfast.solvency.get({ signal }),
    { everyMs: EVERY_MS },
  );
  return <Loaded of={solvency}>{(found) => <Shown solvency={found} />}</Loaded>;
}

interface Props {
  readonly solvency: Solvency;
}

function Shown({ solvency }: Props) {
  const { status, takenAt, deployment, marketplace } = solvency;
  return (
    <>
      <ScreenHead
        title="Solvency"
        badge={<StateBadge state={status} />}
        note={
          takenAt === null ? (
            'No reading yet; the first one comes within a minute.'
          ) : (
            <>
              {STATUS_WORDS[status]} Read <Moment at={takenAt} />
            </>
          )
        }
      />
      <Stack>
        <Payouts solvency={solvency} />
        {deployment?.groups.map((group) => (
          <Group key={group.asset} align="stretch">
            <Deployment group={group} />
          </Group>
        ))}
        {marketplace?.map((part) => (
          <Panel key={part.asset} title={`This marketplace, ${backing(part)}`}>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <SideTable side={owedBy(part)} currency={part.asset} />
              <SideTable side={sourcesOf(part)} currency={part.asset} />
            </SimpleGrid>
            <Text size="sm" c="dimmed" mt="sm">
              Its users' addresses were last known to hold{' '}
              <Amount amount={part.atAddresses} currency={part.asset} />.
            </Text>
          </Panel>
        ))}
        {deployment === null && (marketplace ?? []).length === 0 && (
          <EmptyState title="Nothing to weigh yet">
            The first money that comes in gives the first equation.
          </EmptyState>
        )}
      </Stack>
    </>
  );
}

function backing({ asset, backs }: { asset: string; backs: readonly string[] }): string {
  return `${asset}, which backs ${backs.join(' and ')}`;
}

type Reading = NonNullable<Solvency['deployment']>;

function Deployment({ group }: { readonly group: Reading['groups'][number] }) {
  const { asset } = group;
  const amount = (text: string) => <Amount amount={text} currency={asset} />;
  return (
    <Panel
      title={`The whole deployment, ${backing(group)}`}
      actions={<StateBadge state={group.status} />}
    >
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <SideTable side={assetsOf(group)} currency={asset} />
        <SideTable side={liabilitiesOf(group)} currency={asset} />
        <Facts
          rows={[
            ['Difference', amount(group.difference)],
            ['With the payment provider', amount(group.atPaymentProvider)],
            ['Explained by what is on its way', amount(group.inFlight)],
            ['Tolerance', amount(group.tolerance)],
          ]}
        />
      </SimpleGrid>
    </Panel>
  );
}

function Payouts({ solvency: { payoutsPaused, pauseReason } }: Props) {
  const { holdfast, session } = useSession();
  if (!payoutsPaused) return <Text size="sm">Payouts go out.</Text>;
  const mayResume = session.operator.isPlatformAdmin;
  return (
    <Alert variant="outline" color="red" title="Payouts are paused" role="status">
      <Group justify="space-between">
        <Text size="sm">
          {pauseReason ?? 'What is there and what is owed differed in two readings in a row.'}{' '}
          Withdrawals answer PAYOUTS_PAUSED.
        </Text>
        <ActionButton
          label="Resume payouts"
          roles={['viewer', 'support', 'finance', 'admin']}
          whyNot={
            mayResume ? undefined : 'Only a platform admin may: it is about every marketplace'
          }
          title="Resume payouts"
          effect={
            <EffectList
              lines={[
                'Withdrawals of every marketplace go out again at once.',
                'The next two readings that show a breach pause them again.',
              ]}
            />
          }
          confirm="Resume payouts"
          isIrreversible
          touches={['Solvency', 'Withdrawal', 'Home']}
          run={(reason) => holdfast.solvency.resumePayouts({ reason }, { reason })}
        />
      </Group>
    </Alert>
  );
}
