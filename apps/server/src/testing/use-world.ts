//! A world for the tests of a file: opened before the first, closed after the last.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Market, openWorld, type World, type WorldOptions } from './world.ts';

export function useWorld(options?: WorldOptions): World {
  return useOpened(() => openWorld(options));
}

export interface WorldWithMarket<W extends World = World> {
  readonly world: W;
  readonly market: Market;
}

/** A world with a marketplace in it. */
export function useMarket(options?: WorldOptions): WorldWithMarket {
  return useMarketIn(() => openWorld(options));
}

export function useMarketIn<W extends World>(open: () => Promise<W>): WorldWithMarket<W> {
  const world = useOpened(open);
  return { world, market: useOpened(() => world.market()) };
}

/**
 * Anything that has to be opened first, and is closed afterwards if it can be. What a test reads
 * of the result, it reads of the thing that is open then.
 */
export function useOpened<T extends object>(open: () => Promise<T>): T {
  return openedBetween(beforeAll, afterAll, open);
}

/** The same anew for every test. */
export function useOpenedEach<T extends object>(open: () => Promise<T>): T {
  return openedBetween(beforeEach, afterEach, open);
}

type Hook = (work: () => Promise<void>) => void;

function openedBetween<T extends object>(before: Hook, after: Hook, open: () => Promise<T>): T {
  let opened: (T & { close?: () => Promise<void> }) | undefined;
  before(async () => {
    opened = await open();
  });
  after(async () => opened?.close?.());
  const current = (): T => {
    if (opened === undefined) throw new Error('opened before a test, and not earlier');
    return opened;
  };
  return new Proxy({} as T, {
    get: (_, key) => {
      const value: unknown = Reflect.get(current(), key);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    has: (_, key) => Reflect.has(current(), key),
    set: (_, key, value) => Reflect.set(current(), key, value),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(current(), key);
      return found && { ...found, configurable: true };
    },
  });
}
