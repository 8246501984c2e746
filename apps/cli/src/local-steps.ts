//! The steps of a start: each is told to whoever watches, and none begins after it was called off.

export interface StepWatch {
  begun(name: string): void;
  done(name: string, ms: number, detail?: string): void;
}

export type Step = <T>(
  name: string,
  work: () => Promise<T>,
  detailOf?: (result: T) => string,
) => Promise<T>;

class CalledOff extends Error {
  override readonly name = 'CalledOff';
  constructor() {
    super('the start was called off');
  }
}

export function stepsFor(watch: StepWatch | undefined, signal: AbortSignal | undefined): Step {
  return async (name, work, detailOf) => {
    if (signal?.aborted) throw new CalledOff();
    watch?.begun(name);
    const begunAt = performance.now();
    const result = await work();
    watch?.done(name, performance.now() - begunAt, detailOf?.(result));
    return result;
  };
}

/** For work that would wait for somebody who will not come any more. */
export function unlessCalledOff<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const calledOff = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new CalledOff()), { once: true });
  });
  return Promise.race([work, calledOff]);
}
