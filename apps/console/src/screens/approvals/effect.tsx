//! What agreeing does, shown on the card and once more before one agrees.
import type { Approval } from '@holdfast/sdk';
import { Skeleton, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { EffectList } from '#parts/effect-list.tsx';
import { errorWords } from '#parts/error-words.ts';
import { type Effect, readEffect } from '#screens/approvals/read-effect.ts';
import { ASKED } from '#screens/approvals/request-words.ts';

interface Reading {
  readonly data: Effect | null | undefined;
  readonly error: unknown;
}

/**
 * Undefined unless it waits: under way it is refused to tell what it would do, and what was done is
 * told by the resource itself.
 */
export function useEffectOf(approval: Approval): Reading | undefined {
  const isWaiting = approval.status === 'PENDING';
  const topic = ASKED[approval.action]?.topic ?? 'Approval';
  const reading = useRead(
    topic,
    ['approval', approval.id],
    (holdfast, signal) => readEffect(holdfast, approval, signal),
    { isEnabled: isWaiting },
  );
  return isWaiting ? reading : undefined;
}

export function EffectWords({ of: { data, error } }: { readonly of: Reading }) {
  if (error) {
    const { title, advice } = errorWords(error);
    return (
      <Text size="sm">
        What it would do cannot be told now: {title} {advice}
      </Text>
    );
  }
  if (data === undefined)
    return <Skeleton h={72} role="status" aria-busy="true" aria-label="Loading what it would do" />;
  if (data === null) return null;
  return (
    <Text size="sm" component="div" className="hf-text">
      <EffectList lines={data.lines} />
    </Text>
  );
}
