//! Ends the set on a signal: kindly at first, at once when asked again or when it takes too long.

const STOP_MS_MAX = 9000;
/** npm passes a Ctrl-C on to us that the terminal has sent us already. */
const SAME_SIGNAL_MS = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const INTERRUPTED = 130;

export interface Ending {
  /** From our side: with the exit code it shall have. */
  end(code: number): void;
}

/** What still runs at the exit of this process is killed by it: see children.ts. */
export function endOnSignals(stop: (how: { readonly isAsked: boolean }) => Promise<void>): Ending {
  let begunAt: number | undefined;
  const begin = (code: number, isAsked: boolean) => {
    if (begunAt !== undefined) return;
    begunAt = performance.now();
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
    stop({ isAsked }).then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (begunAt === undefined) begin(0, true);
      else if (performance.now() - begunAt > SAME_SIGNAL_MS) process.exit(INTERRUPTED);
    });
  }
  return { end: (code) => begin(code, false) };
}
