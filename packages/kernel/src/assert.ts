//! Assertions: conditions that hold unless the program has a bug. A failed assertion is never a
//! caller's mistake.

export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new AssertionFailed(claim);
}

/** Ends a `switch` over a union: adding a case without handling it does not compile. */
export function assertNever(value: never): never {
  throw new AssertionFailed(`unexpected case: ${String(value)}`);
}
