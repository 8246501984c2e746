import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { longWhen, unlessDeep } from '#app/deep.ts';

const EVERY_MS = 1_000;

const client = new QueryClient();
/** All requests have got their responses. */
const nextTick = () => new Promise((done) => setTimeout(done));

let requested: number[] = [];
let table: InfiniteQueryObserver<number>;
let leave: () => void;

beforeEach(async () => {
  client.mount();
  requested = [];
  table = new InfiniteQueryObserver<number>(client, {
    queryKey: ['table'],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => {
      requested.push(pageParam as number);
      return pageParam as number;
    },
    getNextPageParam: (last) => last + 1,
    ...unlessDeep(EVERY_MS),
  });
  leave = table.subscribe(() => undefined);
  await nextTick();
});
afterEach(() => {
  leave();
  client.clear();
  client.unmount();
});

/** To the window, and to the screen. */
async function comeBack() {
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await nextTick();
  leave();
  leave = table.subscribe(() => undefined);
  await nextTick();
}

it('reads the page of a table again, on a timer and when the operator comes back', async () => {
  expect(unlessDeep(EVERY_MS).refetchInterval(table.getCurrentQuery())).toBe(EVERY_MS);
  await comeBack();
  expect(requested).toEqual([0, 0, 0]);
});

it('leaves a table of several pages as it is', async () => {
  await table.fetchNextPage();
  await table.fetchNextPage();
  expect(unlessDeep(EVERY_MS).refetchInterval(table.getCurrentQuery())).toBe(false);
  await comeBack();
  expect(requested).toEqual([0, 1, 2]);
});

it('leaves a long response as it is, and reads a short one again', () => {
  const { refetchInterval } = unlessDeep(EVERY_MS);
  const query = longWhen<readonly number[]>((data) => data.length > 2);
  expect(refetchInterval({ ...query, state: { data: [1, 2] } })).toBe(EVERY_MS);
  expect(refetchInterval({ ...query, state: { data: [1, 2, 3] } })).toBe(false);
  expect(refetchInterval({ ...query, state: {} })).toBe(EVERY_MS);
  expect(refetchInterval({ ...query, state: { data: null } })).toBe(EVERY_MS);
});
