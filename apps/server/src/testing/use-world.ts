//! A world for the tests of a file: opened before the first, closed after the last.
import { afterAll, beforeAll } from 'vitest';
import { openWorld, type World, type WorldOptions } from './world.ts';

export function useWorld(options?: WorldOptions): World {
  return useOpened(() => openWorld(options));
}

/**
 * Anything that has to be opened first, and is closed afterwards if it can be. What a test reads
 * of the result, it reads of the thing that is open then.
 */
export function useOpened<T extends object>(open: () => Promise<T>): T {
  let opened: (T & { close?: () => Promise<void> }) | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close?.());
  const current = (): T => {
    if (opened === undefined) throw new Error('opened before the first test, and not earlier');
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
