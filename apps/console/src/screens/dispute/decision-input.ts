//! A decision as the service takes it.
import type { Decision, PreviewResolutionInput } from '@holdfast/sdk';
import { type Split, textOf } from '#parts/money/cents.ts';

/** Undefined for a split that leaves one side nothing: that is another decision. */
export function decisionInput(
  decision: Decision,
  { releaseCents, refundCents }: Split,
): PreviewResolutionInput | undefined {
  if (decision !== 'SPLIT') return { decision };
  if (releaseCents <= 0n || refundCents <= 0n) return undefined;
  return { decision, releaseAmount: textOf(releaseCents), refundAmount: textOf(refundCents) };
}
