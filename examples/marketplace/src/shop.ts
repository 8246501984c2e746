//! The dependencies that every part of the shop uses.
import type { Holdfast } from '@holdfast/sdk';
import type { Config } from './config.ts';
import type { Live } from './events/live.ts';
import type { Database } from './store/database.ts';

export interface Shop {
  readonly config: Config;
  readonly holdfast: Holdfast;
  readonly database: Database;
  /** Notifies open pages of changes. */
  readonly live: Live;
  /** Purchases whose checkout runs in this process right now. */
  readonly busy: Set<string>;
}
