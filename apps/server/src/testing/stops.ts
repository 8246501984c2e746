//! Stops of a marketplace, set and lifted with the master key.
import type { STOP_LEVELS } from '@holdfast/contract/enums';
import type { ApiResponse, Market, World } from './world.ts';

type Level = (typeof STOP_LEVELS)[number];

type Headers = Readonly<Record<string, string>>;

interface StopCalls {
  readonly stop: (market: Market, level: Level, headers?: Headers) => Promise<ApiResponse>;
  readonly lift: (market: Market, level: Level) => Promise<ApiResponse>;
  /** As GET returns them. */
  readonly stopsOf: (market: Market) => Promise<{ standing: Stop[]; lifted: Stop[] }>;
  /** A credit of 1.00. */
  readonly credit: (market: Market, userId: string, headers?: Headers) => Promise<ApiResponse>;
}

interface Stop {
  readonly level: Level;
  readonly settledAt: string | null;
  readonly liftedBy: string | null;
}

export function stopCalls(world: World): StopCalls {
  return {
    stop: (market, level, headers = {}) =>
      world.send('POST', `/marketplaces/${market.id}/stop`, {
        key: world.masterKey,
        body: { level, reason: 'a doubt' },
        headers,
      }),
    lift: (market, level) =>
      world.send('POST', `/marketplaces/${market.id}/stop/lift`, {
        key: world.masterKey,
        body: { level, reason: 'explained' },
      }),
    stopsOf: async (market) => {
      const path = `/marketplaces/${market.id}/stops`;
      return (await world.send('GET', path, { key: world.masterKey })).json.data.data;
    },
    credit: (market, userId, headers = {}) =>
      market.send('POST', `/users/${userId}/balance/credit`, { body: { amount: '1.00' }, headers }),
  };
}
