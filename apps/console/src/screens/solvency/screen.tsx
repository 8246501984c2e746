//! Solvency: what is there against what is owed, term by term; payouts paused or not.
import type { Solvency } from '@holdfast/sdk';
import { Stack, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { clientOf, useSession } from '#app/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { DeploymentEquation, MarketplaceEquation } from '#screens/solvency/equations.tsx';
import { History } from '#screens/solvency/history.tsx';
import { Payouts } from '#screens/solvency/payouts.tsx';

const EVERY_MS = 15_000;

const STATUS_WORDS: Readonly<Record<Solvency['status'], string>> = {
  BALANCED: 'What is there is what is owed, to the seventh place.',
  UNSETTLED: 'They differ by no more than what is known to be on its way.',
  SURPLUS: 'More is there than is owed: somebody sent it, or capital was not recorded.',
  BREACH: "Something is missing, or the provider's balance is not what our records say.",
};

/** A platform admin sees the whole deployment; everybody sees the marketplace they are in. */
export function Screen() {
  const { session } = useSession();
  const whole = useWhole();
  const own = useOwn();
  const reading = session.operator.isPlatformAdmin ? whole : own;
  return <Loaded of={reading}>{(found) => <Shown solvency={found} />}</Loaded>;
}

/** Whoever names no marketplace is told of all of them, if they may be. */
function useWhole() {
  const { isPlatformAdmin } = useSession().session.operator;
  return useRead('Solvency', ['whole'], (_, signal) => clientOf({}).solvency.get({ signal }), {
    everyMs: EVERY_MS,
    isEnabled: isPlatformAdmin,
  });
}

function useOwn() {
  const { marketplaceId } = useSession();
  return useRead('Solvency', ['reading'], (holdfast, signal) => holdfast.solvency.get({ signal }), {
    everyMs: EVERY_MS,
    isEnabled: marketplaceId !== '',
  });
}

interface Props {
  readonly solvency: Solvency;
}

function Shown({ solvency }: Props) {
  const { session, marketplaceId } = useSession();
  const { status, deployment } = solvency;
  return (
    <>
      <ScreenHead
        title="Solvency"
        badge={<StateBadge state={status} />}
        note={<Note solvency={solvency} />}
      />
      <Stack>
        <Payouts solvency={solvency} />
        {deployment !== null && <Whole deployment={deployment} />}
        {deployment === null && session.operator.isPlatformAdmin && (
          <EmptyState title="Nothing to weigh yet">
            The first reading gives the first equation of the whole deployment: what is there, and
            what is owed.
          </EmptyState>
        )}
        {marketplaceId !== '' && <Parts />}
        <History />
      </Stack>
    </>
  );
}

function Whole({ deployment }: { readonly deployment: NonNullable<Solvency['deployment']> }) {
  const { groups, addressesRead, addressesKnown } = deployment;
  return (
    <>
      {groups.map((group) => (
        <DeploymentEquation key={group.asset} group={group} />
      ))}
      <Text size="sm" c="dimmed">
        Addresses count as they were last seen; {addressesRead.toLocaleString('en-US')} of{' '}
        {addressesKnown.toLocaleString('en-US')} were looked at for this reading.
      </Text>
    </>
  );
}

function Parts() {
  return (
    <Loaded of={useOwn()}>
      {({ marketplace }) =>
        marketplace?.map((part) => <MarketplaceEquation key={part.asset} part={part} />)
      }
    </Loaded>
  );
}

function Note({ solvency: { status, takenAt } }: Props) {
  if (takenAt === null) return 'No reading yet; the first one comes within a minute.';
  return (
    <>
      {STATUS_WORDS[status]} Read <Moment at={takenAt} />
    </>
  );
}
