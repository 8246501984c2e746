//! The caller's stack of a call: errors arrive later, with stacks of the SDK's own frames only.
import { isHoldfastError } from '#errors';

interface WithCapture {
  readonly captureStackTrace?: (target: object, below: () => string) => void;
}

/** The frames above the calling method, as text; empty where the runtime has no such stacks. */
export function callSite(): string {
  const holder: { stack?: string } = {};
  (Error as WithCapture).captureStackTrace?.(holder, callSite);
  const frames = (holder.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return frames.slice(1).join('\n');
}

/** Rejects with an error whose stack starts where the call was made. */
export async function withCallSite<T>(work: Promise<T>, site: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (site !== '' && isHoldfastError(error))
      error.stack = `${error.name}: ${error.message}\n${site}`;
    throw error;
  }
}
