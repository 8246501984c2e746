//! What every part of the shop works with.
import type { Holdfast } from '@holdfast/sdk';
import type { Config } from './config.ts';
import type { Live } from './events/live.ts';
import type { Database } from './store/database.ts';

export interface Shop {
  readonly config: Config;
  readonly holdfast: Holdfast;
  readonly database: Database;
  /** Tells open pages that something has changed. */
  readonly live: Live;
  /** Purchases whose checkout runs in this process right now. */
  readonly busy: Set<string>;
}
