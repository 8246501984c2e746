//! Solvency: assets against liabilities, term by term, and the state of payouts; stops and terms.
import type { Solvency } from '@holdfast/sdk';
import { Stack, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { clientOf, useSession } from '#app/session/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { DeploymentEquation, MarketplaceEquation } from '#screens/solvency/equations.tsx';
import { History } from '#screens/solvency/history.tsx';
import { Payouts } from '#screens/solvency/payouts.tsx';
import { Stops } from '#screens/solvency/stops.tsx';
import { Terms } from '#screens/solvency/terms.tsx';

const EVERY_MS = 15_000;

const STATUS_WORDS: Readonly<Record<Solvency['status'], string>> = {
  BALANCED: 'Assets equal liabilities, within the configured tolerance.',
  UNSETTLED: 'The difference between assets and liabilities is explained by transfers in transit.',
  SURPLUS: 'Assets exceed liabilities: an unexpected payment, or capital that was not recorded.',
  BREACH:
    'Assets are below liabilities, or the balance at the payment provider differs from the books.',
};

/** A platform admin sees the whole deployment; everybody sees the marketplace they are in. */
export function Screen() {
  const { session } = useSession();
  const whole = useWhole();
  const own = useOwn();
  const reading = session.operator.isPlatformAdmin ? whole : own;
  return <Loaded of={reading}>{(found) => <Shown solvency={found} />}</Loaded>;
}

/** Without a marketplace in the request, a platform admin gets the sums of the whole deployment. */
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
  const { status, deployment, takenAt } = solvency;
  return (
    <>
      <ScreenHead
        title="Solvency"
        badge={takenAt !== null && <StateBadge state={status} />}
        note={<Note solvency={solvency} />}
      />
      <Stack>
        <Payouts solvency={solvency} />
        {marketplaceId !== '' && <Stops />}
        {marketplaceId !== '' && <Terms />}
        {deployment !== null && <Whole deployment={deployment} />}
        {deployment === null && session.operator.isPlatformAdmin && (
          <EmptyState title="No reading yet">
            Assets and liabilities of all marketplaces appear with the first reading, once the
            treasury holds USDC.
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
        This reading checked {addressesRead.toLocaleString('en-US')} of{' '}
        {addressesKnown.toLocaleString('en-US')} addresses. For all other addresses, the last known
        balance is used.
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
  if (takenAt === null)
    return 'No reading yet. The first reading appears once the treasury holds USDC.';
  return (
    <>
      {STATUS_WORDS[status]} Checked <Moment at={takenAt} />
    </>
  );
}
