//! Joins committed events with received ones: how late they were, and which are missing.
import { type Percentiles, percentilesOf } from '../harness/figures.ts';

/** Stands before an event's number in its payload; found without parsing anything. */
export const MARK = 'bench-event-';

export interface Written {
  /** The first event's number; the others follow it. */
  first: number;
  /** Row number of the marketplace by event. */
  marketplaces: Uint32Array;
  /** Microseconds of the monotonic clock at which the commit had returned, by event; 0 if never. */
  committedAt: Float64Array;
  perSecond: number;
}

/** Events since the last report, in the order of arrival over all readers. */
export interface Deliveries {
  readonly readers: Uint32Array;
  /** The number in each event's mark. */
  readonly numbers: Uint32Array;
  /** Microseconds of the monotonic clock. */
  readonly at: Float64Array;
}

export interface Delivered {
  /** Milliseconds from the commit's return to the reader. */
  latency: Percentiles;
  count: number;
  missing: number;
  repeated: number;
  disordered: number;
  /** Share of its events that the worst served reader got. */
  worstShare: number;
  /** The median latency of the slowest reader over that of all, in milliseconds: who waits last. */
  slowestReaderMs: number;
}

/** Events committed within the lead-in count for completeness, not for latency. */
export function join(
  written: Written,
  arrived: Deliveries,
  readers: { count: number; marketplaces: readonly number[]; leadMs: number },
): Delivered {
  const expected = new Map<number, number>();
  for (const [at, marketplace] of written.marketplaces.entries()) {
    if ((written.committedAt[at] ?? 0) === 0) continue;
    expected.set(marketplace, (expected.get(marketplace) ?? 0) + 1);
  }
  const measuredFrom = (written.committedAt.find((at) => at > 0) ?? 0) + readers.leadMs * 1000;
  const tallies = Array.from({ length: readers.count }, () => ({ got: 0, last: 0, sumMs: 0 }));
  const latencies = new Float64Array(arrived.at.length);
  const found = { count: 0, timed: 0, repeated: 0, disordered: 0 };
  for (const [index, number] of arrived.numbers.entries()) {
    const tally = tallies[arrived.readers[index] ?? 0];
    const committed = written.committedAt[number - written.first] ?? 0;
    if (tally === undefined || committed === 0) continue;
    if (number === tally.last) found.repeated += 1;
    else if (number < tally.last) found.disordered += 1;
    else tally.got += 1;
    tally.last = Math.max(tally.last, number);
    found.count += 1;
    // A commit's return can be read later than the event's arrival: that is no delay at all.
    const latencyMs = Math.max(0, ((arrived.at[index] ?? 0) - committed) / 1000);
    tally.sumMs += latencyMs;
    if (committed >= measuredFrom) {
      latencies[found.timed] = latencyMs;
      found.timed += 1;
    }
  }
  let missing = 0;
  let worstShare = 1;
  let slowestReaderMs = 0;
  for (const [reader, tally] of tallies.entries()) {
    const marketplace = readers.marketplaces[reader % readers.marketplaces.length] ?? 0;
    const wanted = expected.get(marketplace) ?? 0;
    missing += Math.max(0, wanted - tally.got);
    if (wanted > 0) worstShare = Math.min(worstShare, tally.got / wanted);
    if (tally.got > 0) slowestReaderMs = Math.max(slowestReaderMs, tally.sumMs / tally.got);
  }
  const latency = percentilesOf(latencies.subarray(0, found.timed));
  const { count, repeated, disordered } = found;
  return { latency, count, missing, repeated, disordered, worstShare, slowestReaderMs };
}
