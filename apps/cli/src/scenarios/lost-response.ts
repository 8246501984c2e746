//! Runs a call whose response is lost: the operation that it started continues by itself.
import { isHoldfastError } from '@holdfast/sdk';
import type { ScenarioContext } from './scenario.ts';

/** Reports how the call ended; `responseText` is reported when its response came after all. */
export async function loseResponse(
  context: ScenarioContext,
  call: PromiseLike<unknown>,
  responseText = 'the response was lost; the outcome was determined before the call timed out',
): Promise<void> {
  try {
    await call;
    context.report(responseText);
  } catch (error) {
    if (!isHoldfastError(error, 'PROVIDER_TIMEOUT')) throw error;
    context.report(`504 ${error.code}: ${error.details.operationId} continues in the background`);
  }
}
