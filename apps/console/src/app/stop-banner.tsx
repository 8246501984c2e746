//! The banner on every screen while a stop of the marketplace stands.
import type { MarketplaceStop } from '@holdfast/sdk';
import { Alert } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useSession } from '#app/session/session.tsx';
import { Moment } from '#parts/moment.tsx';
import { stopTitle } from '#parts/words/stop-words.ts';

const EVERY_MS = 15_000;

export function useStops() {
  const { marketplaceId } = useSession();
  return useRead(
    'Marketplace',
    ['stops'],
    (holdfast, signal) => holdfast.marketplaces.listStops(marketplaceId, { signal }),
    { everyMs: EVERY_MS, isEnabled: marketplaceId !== '' },
  );
}

export function StopBanner() {
  const { data } = useStops();
  return data?.standing.map((stop) => <Banner key={stop.level} stop={stop} />);
}

function Banner({ stop }: { readonly stop: MarketplaceStop }) {
  const { level, reason, stoppedAt, settledAt } = stop;
  return (
    <Alert color="red" variant="outline" title={stopTitle(level)} mb="sm" role="status">
      {reason} Since <Moment at={stoppedAt} />.
      {settledAt === null && ' Requests that had started before are still ending.'}{' '}
      <Go to="/solvency">View stops</Go>
    </Alert>
  );
}
