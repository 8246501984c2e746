//! The service's clock: in development it differs from the machine's, and ages are computed by it.

let aheadMs = 0;

/** Called with every time that the service returns. */
export function setClock(instant: string): void {
  const parsedMs = Date.parse(instant);
  if (!Number.isNaN(parsedMs)) aheadMs = parsedMs - machineNow();
}

/** Milliseconds since 1970, as the service counts them. */
export function clockNow(): number {
  return machineNow() + aheadMs;
}

/**
 * The machine's own clock, for timers of this browser alone. The clock of the page does not fit: it
 * stands still while the machine sleeps, and differs between tabs.
 */
export function machineNow(): number {
  return Date.now();
}
