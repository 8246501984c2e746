//! An amount, exact to the last digit, always with its currency.
import { grouped } from '#parts/money/cents.ts';

interface Props {
  readonly amount: string;
  readonly currency: string;
  /** Shows + before what was gained, and colours what was lost. */
  readonly isChange?: boolean;
  readonly isStrong?: boolean;
}

export function Amount({ amount, currency, isChange = false, isStrong = false }: Props) {
  const isLoss = amount.startsWith('-');
  const isZero = /^-?[0.]*$/.test(amount);
  const sign = isChange && !isLoss && !isZero ? '+' : '';
  const color = isChange && !isZero ? (isLoss ? 'var(--hf-bad)' : 'var(--hf-good)') : undefined;
  return (
    <span className="hf-amount" style={{ color, fontWeight: isStrong ? 650 : undefined }}>
      {sign}
      {grouped(amount)} {currency}
    </span>
  );
}
