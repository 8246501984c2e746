//! A call whose answer is lost on the way: what it began goes on by itself.
import { isHoldfastError } from '@holdfast/sdk';
import type { Stage } from './stage.ts';

/** Tells how the call ended; `answered` is told when its answer came after all. */
export async function loseAnswer(
  stage: Stage,
  call: PromiseLike<unknown>,
  answered = 'the answer was lost, and found again before the call had to end',
): Promise<void> {
  try {
    await call;
    stage.tell(answered);
  } catch (error) {
    if (!isHoldfastError(error, 'PROVIDER_TIMEOUT')) throw error;
    stage.tell(`504 ${error.code}: ${error.details.operationId} goes on by itself`);
  }
}
