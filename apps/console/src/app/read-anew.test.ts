import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadAnew } from '#app/read-anew.ts';

const market = `mkt_${'4'.repeat(27)}`;
const order = `ord_${'1'.repeat(27)}`;
const GAP_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a screen shows, and how often it has asked for it; each answer takes so long. */
function shown(queries: QueryClient, key: readonly unknown[], takesMs: number) {
  const seen = { asked: 0 };
  const read = async () => {
    seen.asked += 1;
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    return seen.asked;
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

describe('reading anew', () => {
  it('reads once more what was under way when a change came', async () => {
    const { readAnew, slow } = screens();
    await vi.advanceTimersByTimeAsync(10);
    readAnew.touch('Order', [order]);
    await vi.advanceTimersByTimeAsync(10);
    expect(slow.asked, 'what is under way is not begun again').toBe(1);
    await vi.advanceTimersByTimeAsync(3 * GAP_MS);
    expect(slow.asked).toBe(2);
    await vi.advanceTimersByTimeAsync(10 * GAP_MS);
    expect(slow.asked, 'and then it rests').toBe(2);
  });

  it('leaves the others alone meanwhile', async () => {
    const { readAnew, list } = screens();
    await vi.advanceTimersByTimeAsync(10);
    readAnew.touch('Order', [order]);
    await vi.advanceTimersByTimeAsync(10 * GAP_MS);
    expect(list.asked, 'once for the screen, once for the change').toBe(2);
  });

  it('reads what another order touched only where it is shown', async () => {
    const { readAnew, slow, list } = screens();
    await vi.advanceTimersByTimeAsync(5 * GAP_MS);
    readAnew.touch('Order', [`ord_${'2'.repeat(27)}`]);
    await vi.advanceTimersByTimeAsync(5 * GAP_MS);
    expect([slow.asked, list.asked]).toEqual([1, 2]);
  });
});
