//! The split: a slider, and both amounts to the cent. After any change the two sum to the whole.
import { Group, Slider, Stack, Text, TextInput } from '@mantine/core';
import { plotNumber } from '#parts/chart/plot-value.ts';
import { centsOf, type Split, shareOf, splitAt, splitByShare, textOf } from '#parts/money/cents.ts';

const WHOLE_SHARE = 10_000;
const STEP = 50;

type Part = 'seller' | 'buyer';

/** The text in one of the fields; it need not be an amount yet. */
export interface TypedPart {
  readonly part: Part;
  readonly text: string;
}

interface Props {
  readonly whole: bigint;
  /** By the last amount that was typed whole. */
  readonly split: Split;
  readonly typed: TypedPart | undefined;
  readonly currency: string;
  readonly onChange: (split: Split, typed?: TypedPart) => void;
}

export function SplitFields({ whole, split, typed, currency, onChange }: Props) {
  const share = plotNumber(shareOf(split));
  // With every key, so that leaving a field changes nothing that a click depends on.
  const take = (part: Part, text: string) => {
    const cents = centsOf(text);
    const release = cents !== undefined && part === 'buyer' ? whole - cents : cents;
    onChange(release === undefined ? split : splitAt(whole, release), { part, text });
  };
  const field = (part: Part, label: string, cents: bigint) => {
    const text = typed?.part === part ? typed.text : textOf(cents);
    const isAmount = centsOf(text) !== undefined;
    // As the wire has it, and within the whole; what is no amount stays, with its error.
    const tidy = () => isAmount && typed?.part === part && onChange(split);
    return (
      <TextInput
        label={label}
        inputMode="decimal"
        value={text}
        error={isAmount ? undefined : 'Enter an amount such as 12.50'}
        onChange={({ currentTarget }) => take(part, currentTarget.value)}
        onBlur={tidy}
        onKeyDown={({ key }) => key === 'Enter' && tidy()}
      />
    );
  };
  return (
    <Stack gap="sm">
      <Slider
        min={0}
        max={WHOLE_SHARE}
        step={STEP}
        value={share}
        label={(value) => `${(value / 100).toFixed(1)}% to seller`}
        thumbLabel="Seller’s share"
        onChange={(value) => onChange(splitByShare(whole, value))}
      />
      <Group grow align="flex-start">
        {field('seller', `To seller (${currency})`, split.releaseCents)}
        {field('buyer', `To buyer (${currency})`, split.refundCents)}
      </Group>
      <Text size="sm" c="dimmed">
        {textOf(split.releaseCents)} + {textOf(split.refundCents)} ={' '}
        {textOf(split.releaseCents + split.refundCents)} {currency}
      </Text>
    </Stack>
  );
}
