//! L3: a million addresses fill the memory of the rate limiter, or make each request slow. No test
//! has a million addresses, so this one calls the limiter itself.
import { systemClock } from '@holdfast/kernel/clock';
import { addressBucket, memoryCounter } from '../../../../apps/server/src/api/http/rate-limit.ts';
import { type Attack, unrecorded } from '../attack.ts';

const ADDRESSES = 1_000_000;
const MICROSECONDS_MAX = 5;
/** The older generation may be full as well. */
const BUCKETS_MAX = 200_000;

export const attack: Attack = {
  id: 'L3',
  title: 'call from a million addresses',
  evidence: unrecorded('each address makes one request, as any caller does'),
  run: async () => {
    const counter = memoryCounter(systemClock);
    let buckets = 0;
    const before = process.cpuUsage();
    for (let at = 0; at < ADDRESSES; at += 1) {
      const group = (bits: number) => ((at >> bits) & 0xffff).toString(16);
      const { count } = counter.add(addressBucket(`2001:db8:${group(16)}:${group(0)}::1`));
      if (count === 1) buckets += 1;
    }
    const { user, system } = process.cpuUsage(before);
    await counter.close();
    if (buckets > BUCKETS_MAX) return `${buckets} buckets in memory`;
    const each = (user + system) / ADDRESSES;
    return each > MICROSECONDS_MAX ? `${each.toFixed(1)} µs for each request` : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/platform/window-counts.ts',
    find: 'if (this.#newer.size < this.#namesMax) return',
    replace: 'if (this.#namesMax > 0) return',
  },
};
