//! Work side by side, so much at a time; the results in the order of what was asked.

export async function inLanes<T, R>(
  lanes: number,
  things: readonly T[],
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = things.entries();
  const runLane = async () => {
    for (const [at, thing] of waiting) results[at] = await work(thing);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return results;
}
