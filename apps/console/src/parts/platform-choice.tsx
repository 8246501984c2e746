//! The choice of a platform admin between the marketplace they are in and the platform itself.
import { SegmentedControl } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { useSession } from '#app/session/session.tsx';

const OWN = 'own';
const PLATFORM = 'platform';

/** Without a marketplace there is only the platform's own, such as the creation of an operator. */
export function useIsPlatform(): boolean {
  const { session, marketplaceId } = useSession();
  const [{ log }] = useUrlState();
  return marketplaceId === '' || (session.operator.isPlatformAdmin && log === PLATFORM);
}

export function PlatformChoice({ label }: { readonly label: string }) {
  const { session, marketplaceId, marketplaceName } = useSession();
  const [, change] = useUrlState();
  const isPlatform = useIsPlatform();
  if (marketplaceId === '' || !session.operator.isPlatformAdmin) return null;
  return (
    <SegmentedControl
      aria-label={label}
      data={[
        { value: OWN, label: marketplaceName },
        { value: PLATFORM, label: 'Platform' },
      ]}
      value={isPlatform ? PLATFORM : OWN}
      onChange={(log) => change({ log: log === PLATFORM ? log : undefined, id: undefined })}
    />
  );
}
