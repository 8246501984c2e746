//! The service's time: in development it is not the machine's, so that ages are told by it.

let aheadMs = 0;

/** Told whenever the service says what time it is. */
export function setClock(instant: string): void {
  const told = Date.parse(instant);
  if (!Number.isNaN(told)) aheadMs = told - machineNow();
}

/** Milliseconds since 1970, as the service counts them. */
export function clockNow(): number {
  return machineNow() + aheadMs;
}

/**
 * The machine's own clock, for what concerns this browser alone. That of the page would not do: it
 * stands still while the machine sleeps, and two tabs would tell different times.
 */
export function machineNow(): number {
  return Date.now();
}
