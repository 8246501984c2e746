//! The steps of a start: each is reported to the watcher, and none starts after an abort.

export interface StepWatch {
  started(name: string): void;
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
    super('start canceled');
  }
}

export function stepsFor(watch: StepWatch | undefined, signal: AbortSignal | undefined): Step {
  return async (name, work, detailOf) => {
    if (signal?.aborted) throw new CalledOff();
    watch?.started(name);
    const startedAt = performance.now();
    const result = await work();
    watch?.done(name, performance.now() - startedAt, detailOf?.(result));
    return result;
  };
}

/** Ends a wait that an abort has made pointless. */
export function unlessCalledOff<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const calledOff = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new CalledOff()), { once: true });
  });
  return Promise.race([work, calledOff]);
}
