import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { longWhen, unlessDeep } from '#app/deep.ts';

const EVERY_MS = 1_000;

const client = new QueryClient();
/** What was asked for has been answered. */
const nextTurn = () => new Promise((done) => setTimeout(done));

let asked: number[] = [];
let table: InfiniteQueryObserver<number>;
let leave: () => void;

beforeEach(async () => {
  client.mount();
  asked = [];
  table = new InfiniteQueryObserver<number>(client, {
    queryKey: ['table'],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => {
      asked.push(pageParam as number);
      return pageParam as number;
    },
    getNextPageParam: (last) => last + 1,
    ...unlessDeep(EVERY_MS),
  });
  leave = table.subscribe(() => undefined);
  await nextTurn();
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
  await nextTurn();
  leave();
  leave = table.subscribe(() => undefined);
  await nextTurn();
}

it('reads the page of a table again, now and then and when somebody comes back', async () => {
  expect(unlessDeep(EVERY_MS).refetchInterval(table.getCurrentQuery())).toBe(EVERY_MS);
  await comeBack();
  expect(asked).toEqual([0, 0, 0]);
});

it('leaves a table of several pages as it is', async () => {
  await table.fetchNextPage();
  await table.fetchNextPage();
  expect(unlessDeep(EVERY_MS).refetchInterval(table.getCurrentQuery())).toBe(false);
  await comeBack();
  expect(asked).toEqual([0, 1, 2]);
});

it('leaves a long answer as it is, and reads a short one again', () => {
  const { refetchInterval } = unlessDeep(EVERY_MS);
  const query = longWhen<readonly number[]>((answer) => answer.length > 2);
  expect(refetchInterval({ ...query, state: { data: [1, 2] } })).toBe(EVERY_MS);
  expect(refetchInterval({ ...query, state: { data: [1, 2, 3] } })).toBe(false);
  expect(refetchInterval({ ...query, state: {} })).toBe(EVERY_MS);
  expect(refetchInterval({ ...query, state: { data: null } })).toBe(EVERY_MS);
});
