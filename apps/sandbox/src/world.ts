//! The sandbox's world: one store, one clock, one journal, and the parties that share them.
import { WorldClock } from './clock.ts';
import { Faults } from './faults.ts';
import { Journal } from './journal.ts';
import { Ledger } from './ledger/ledger.ts';
import { SANDBOX_PASSPHRASE } from './ledger/network.ts';
import { Router } from './router.ts';
import { Store } from './store.ts';

export interface WorldSettings {
  /** The sandbox's address, for links in its responses. Known once it listens. */
  publicUrl: string;
  /** Host and port at which other machines may use control; undefined: only this one. */
  sharedAs?: string;
  readonly networkPassphrase: string;
}

export interface World {
  readonly store: Store;
  readonly clock: WorldClock;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly router: Router;
  readonly ledger: Ledger;
  readonly settings: WorldSettings;
}

/** Without a folder nothing outlives the process. It does not listen yet: see start-world.ts. */
export function openWorld(
  options: { folder?: string; publicUrl?: string; settings?: Partial<WorldSettings> } = {},
): World {
  const settings: WorldSettings = {
    publicUrl: options.publicUrl ?? 'http://127.0.0.1',
    networkPassphrase: SANDBOX_PASSPHRASE,
    ...options.settings,
  };
  const store = new Store(options.folder);
  const clock = new WorldClock(store);
  const journal = new Journal(store, clock);
  const { networkPassphrase } = settings;
  return {
    store,
    clock,
    journal,
    faults: new Faults(store),
    router: new Router(),
    ledger: new Ledger({ store, clock, journal, networkPassphrase }),
    settings,
  };
}
