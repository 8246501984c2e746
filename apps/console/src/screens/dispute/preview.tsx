//! The preview of a decision, to the cent, as the service calculates it: the fee included.
import type { ResolutionPreview } from '@holdfast/sdk';
import { Skeleton, Stack } from '@mantine/core';
import { plotNumber } from '#parts/chart/plot-value.ts';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { Facts } from '#parts/facts.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { centsOf } from '#parts/money/cents.ts';

interface Props {
  readonly preview: ResolutionPreview | undefined;
  readonly error: unknown;
  /** Of other amounts than those that are typed: the next one is being read. */
  readonly isOld?: boolean;
}

export function Preview({ preview, error, isOld = false }: Props) {
  if (error) return <ErrorAlert error={error} />;
  if (preview === undefined) return <Skeleton h={120} aria-label="Loading preview" />;
  const { currency } = preview;
  const show = (amount: string, isStrong = false) => (
    <Amount amount={amount} currency={currency} isStrong={isStrong} />
  );
  return (
    <Stack gap="sm" aria-busy={isOld} opacity={isOld ? 0.55 : undefined}>
      <SplitBar preview={preview} />
      <Facts
        rows={[
          ['Disputed amount', show(preview.amount)],
          ['Awarded to seller', show(preview.releaseAmount)],
          ['Fee', show(preview.fee)],
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
