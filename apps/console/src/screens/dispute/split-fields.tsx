//! The split: a slider, and both amounts to the cent. Whatever is moved, the two sum to the whole.
import { Group, Slider, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { centsOf, type Split, shareOf, splitAt, splitByShare, textOf } from '#parts/cents.ts';
import { plotNumber } from '#parts/plot-value.ts';

const WHOLE_SHARE = 10_000;
const STEP = 50;

interface Props {
  readonly whole: bigint;
  readonly split: Split;
  readonly currency: string;
  readonly onChange: (split: Split) => void;
}

export function SplitFields({ whole, split, currency, onChange }: Props) {
  const share = plotNumber(shareOf(split));
  return (
    <Stack gap="sm">
      <Slider
        min={0}
        max={WHOLE_SHARE}
        step={STEP}
        value={share}
        label={(value) => `${(value / 100).toFixed(1)} % to the seller`}
        thumbLabel="Share of the seller"
        onChange={(value) => onChange(splitByShare(whole, value))}
      />
      <Group grow align="flex-start">
        <Side
          key={`seller${split.releaseCents}`}
          label={`To the seller, ${currency}`}
          cents={split.releaseCents}
          onChange={(cents) => onChange(splitAt(whole, cents))}
        />
        <Side
          key={`buyer${split.refundCents}`}
          label={`To the buyer, ${currency}`}
          cents={split.refundCents}
          onChange={(cents) => onChange(splitAt(whole, whole - cents))}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {textOf(split.releaseCents)} + {textOf(split.refundCents)} ={' '}
        {textOf(split.releaseCents + split.refundCents)} {currency}
      </Text>
    </Stack>
  );
}

interface SideProps {
  readonly label: string;
  readonly cents: bigint;
  readonly onChange: (cents: bigint) => void;
}

/** Taken over when the field is left, or with Enter: half a number is no amount. */
function Side({ label, cents, onChange }: SideProps) {
  const [text, setText] = useState(textOf(cents));
  const typed = centsOf(text);
  const take = () => typed !== undefined && typed !== cents && onChange(typed);
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      value={text}
      error={typed === undefined ? 'An amount such as 12.50' : undefined}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  );
}
