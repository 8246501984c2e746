//! What a decision would do, to the cent, as the service reckons it: the fee included.
import type { ResolutionPreview } from '@holdfast/sdk';
import { Skeleton, Stack } from '@mantine/core';
import { Amount } from '#parts/amount.tsx';
import { centsOf } from '#parts/cents.ts';
import { ErrorNote } from '#parts/error-note.tsx';
import { Facts } from '#parts/facts.tsx';
import { plotNumber } from '#parts/plot-value.ts';

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
    <Stack gap="sm">
      <SplitBar preview={preview} />
      <Facts
        rows={[
          ['In dispute', show(preview.amount)],
          ['Awarded to the seller', show(preview.releaseAmount)],
          ['Fee taken from it', show(preview.fee)],
          ['Seller receives', show(preview.sellerReceives, true)],
          ['Buyer receives', show(preview.buyerReceives, true)],
        ]}
      />
    </Stack>
  );
}

/** The whole as a bar: what the seller gets, the fee, what the buyer gets. */
function SplitBar({ preview }: { readonly preview: ResolutionPreview }) {
  const parts = [
    [preview.sellerReceives, 'var(--hf-good)'],
    [preview.fee, 'var(--mantine-color-dimmed)'],
    [preview.buyerReceives, 'var(--hf-buyer)'],
  ] as const;
  return (
    <div className="hf-split" aria-hidden="true">
      {parts.map(([amount, background]) => {
        const flexGrow = plotNumber(centsOf(amount) ?? 0n);
        return flexGrow > 0 && <span key={background} style={{ flexGrow, background }} />;
      })}
    </div>
  );
}
