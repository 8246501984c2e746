import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadAnew } from '#app/read-anew.ts';

const market = `mkt_${'4'.repeat(27)}`;
const order = `ord_${'1'.repeat(27)}`;
const GAP_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A query of a screen that counts its reads; each response takes so long. */
function shown(queries: QueryClient, key: readonly unknown[], takesMs: number) {
  const seen = { reads: 0 };
  const read = async () => {
    seen.reads += 1;
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    return seen.reads;
  };
  new QueryObserver(queries, { queryKey: key, queryFn: read }).subscribe(() => undefined);
  return seen;
}

function screens() {
  const queries = new QueryClient();
  return {
    readAnew: new ReadAnew(queries),
    slow: shown(queries, ['Order', market, order], 2 * GAP_MS + GAP_MS / 2),
    list: shown(queries, ['Order', market, 'table'], 1),
  };
}

describe('reading again after a change', () => {
  it('repeats a read that was running when the change came', async () => {
    const { readAnew, slow } = screens();
    await vi.advanceTimersByTimeAsync(10);
    readAnew.touch('Order', [order]);
    await vi.advanceTimersByTimeAsync(10);
    expect(slow.reads, 'a read under way is not restarted').toBe(1);
    await vi.advanceTimersByTimeAsync(3 * GAP_MS);
    expect(slow.reads).toBe(2);
    await vi.advanceTimersByTimeAsync(10 * GAP_MS);
    expect(slow.reads, 'and then it rests').toBe(2);
  });

  it('reads the other queries only once meanwhile', async () => {
    const { readAnew, list } = screens();
    await vi.advanceTimersByTimeAsync(10);
    readAnew.touch('Order', [order]);
    await vi.advanceTimersByTimeAsync(10 * GAP_MS);
    expect(list.reads, 'once for the screen, once for the change').toBe(2);
  });

  it('reads lists, and no other order, when one order changed', async () => {
    const { readAnew, slow, list } = screens();
    await vi.advanceTimersByTimeAsync(5 * GAP_MS);
    readAnew.touch('Order', [`ord_${'2'.repeat(27)}`]);
    await vi.advanceTimersByTimeAsync(5 * GAP_MS);
    expect([slow.reads, list.reads]).toEqual([1, 2]);
  });
});
