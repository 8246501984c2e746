//! Works through a list with limited concurrency; the results have the order of the list.

export async function inLanes<T, R>(
  things: readonly T[],
  lanes: number,
  work: (thing: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = things.entries();
  const runLane = async () => {
    for (const [at, thing] of waiting) results[at] = await work(thing, at);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return results;
}
