//! The effect of an approval, shown on the card and again before it is approved.
import type { Approval } from '@holdfast/sdk';
import { Skeleton, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { EffectList } from '#parts/action/effect-list.tsx';
import { errorWords } from '#parts/words/error-words.ts';
import { type Effect, readEffect } from '#screens/approvals/read-effect.ts';
import { APPROVABLE_ACTIONS } from '#screens/approvals/request-words.ts';

interface Reading {
  readonly data: Effect | null | undefined;
  readonly error: unknown;
}

/**
 * Undefined unless it is pending: during execution the service refuses a preview, and afterwards
 * the resource itself shows the effect.
 */
export function useEffectOf(approval: Approval): Reading | undefined {
  const isWaiting = approval.status === 'PENDING';
  const topic = APPROVABLE_ACTIONS[approval.action]?.topic ?? 'Approval';
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
        Could not load the effect. {title} {advice}
      </Text>
    );
  }
  if (data === undefined)
    return <Skeleton h={72} role="status" aria-busy="true" aria-label="Loading effect" />;
  if (data === null) return null;
  return (
    <Text size="sm" component="div" className="hf-text">
      <EffectList lines={data.lines} />
    </Text>
  );
}
