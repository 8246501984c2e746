//! What a decision would do, to the cent, as the service reckons it: the fee included.
import type { ResolutionPreview } from '@holdfast/sdk';
import { Skeleton } from '@mantine/core';
import { Amount } from '#parts/amount.tsx';
import { ErrorNote } from '#parts/error-note.tsx';
import { Facts } from '#parts/facts.tsx';

interface Props {
  readonly preview: ResolutionPreview | undefined;
  readonly error: unknown;
}

export function Preview({ preview, error }: Props) {
  if (error) return <ErrorNote error={error} />;
  if (preview === undefined) return <Skeleton h={120} aria-label="Reckoning" />;
  const { currency } = preview;
  const show = (amount: string, isStrong = false) => (
    <Amount amount={amount} currency={currency} isStrong={isStrong} />
  );
  return (
    <Facts
      rows={[
        ['In dispute', show(preview.amount)],
        ['Awarded to the seller', show(preview.releaseAmount)],
        ['Fee taken from it', show(preview.fee)],
        ['Seller receives', show(preview.sellerReceives, true)],
        ['Buyer receives', show(preview.buyerReceives, true)],
      ]}
    />
  );
}
