//! Works through a list, so many at once.

export async function inLanes<T>(
  things: readonly T[],
  lanes: number,
  work: (thing: T, at: number) => Promise<void>,
): Promise<void> {
  const waiting = things.entries();
  const runLane = async () => {
    for (const [at, thing] of waiting) await work(thing, at);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}
