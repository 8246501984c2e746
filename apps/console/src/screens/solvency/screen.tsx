//! Solvency: what is there against what is owed, term by term; payouts paused or not.
import type { Solvency } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { DeploymentEquation, MarketplaceEquation } from '#screens/solvency/equations.tsx';
import { Payouts } from '#screens/solvency/payouts.tsx';

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
  const { status, deployment, marketplace } = solvency;
  const parts = marketplace ?? [];
  return (
    <>
      <ScreenHead
        title="Solvency"
        badge={<StateBadge state={status} />}
        note={<Note solvency={solvency} />}
      />
      <Stack>
        <Payouts solvency={solvency} />
        {deployment?.groups.map((group) => (
          <DeploymentEquation key={group.asset} group={group} />
        ))}
        {parts.map((part) => (
          <MarketplaceEquation key={part.asset} part={part} />
        ))}
        {deployment === null && parts.length === 0 && (
          <EmptyState title="Nothing to weigh yet">
            The first money that comes in gives the first equation: what is owed to whom, and where
            it came from.
          </EmptyState>
        )}
      </Stack>
    </>
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
