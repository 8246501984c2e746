//! Ends the set on a signal: gracefully at first, at once on a second signal or after a timeout.

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
export function endOnSignals(
  stop: (how: { readonly isRequested: boolean }) => Promise<void>,
): Ending {
  let stoppedAt: number | undefined;
  const stopOnce = (code: number, isRequested: boolean) => {
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
    stop({ isRequested }).then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stoppedAt === undefined) stopOnce(0, true);
      else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(INTERRUPTED);
    });
  }
  return { end: (code) => stopOnce(code, false) };
}
