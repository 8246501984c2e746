//! The environment of the cells: a sandbox with users, and a database for envelopes.
import { systemClock } from '@holdfast/kernel/clock';
import pg from 'pg';
import { type Call, systemCall } from '../../../apps/server/src/platform/call.ts';
import type { Transactor } from '../../../apps/server/src/platform/database/transact.ts';
import { createLog } from '../../../apps/server/src/platform/process/log.ts';
import { endPool } from '../../../apps/server/src/testing/database/end-pool.ts';
import { openParties, type Parties } from '../../../apps/server/src/testing/parties.ts';
import {
  type Adapters,
  adaptersOf,
  openSandbox,
  type Sandbox,
} from '../../../apps/server/src/testing/sandbox.ts';
import { openDatabase } from '../../harness/database.ts';

export interface Environment extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly parties: Parties;
  /** With short timeouts: a slow reply counts as lost. */
  readonly adapters: Adapters;
  readonly app: Transactor & { readonly network: Adapters['network'] };
  readonly call: Call;
}

/** The slow fault takes forty seconds; the tests do not wait for it. */
const TIMEOUT_MS = 2_500;

export async function openEnvironment({ pool, clock, log }: Transactor): Promise<Environment> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await openSandbox();
  cleanup.defer(() => sandbox.stop());
  const parties = await openParties(sandbox, { usdc: '1000000' });
  const adapters = adaptersOf(sandbox, { timeoutMs: TIMEOUT_MS });
  const all = cleanup.move();
  return {
    sandbox,
    parties,
    adapters,
    app: { pool, clock, log, network: adapters.network },
    call: systemCall('1'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A database of its own, with the rights of the worker. */
export async function openTransactor(): Promise<Transactor & AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const { url } = cleanup.use(await openDatabase('matrix'));
  const pool = new pg.Pool({ connectionString: url, max: 4, options: '-c role=holdfast_worker' });
  cleanup.defer(() => endPool(pool));
  const all = cleanup.move();
  const log = createLog('silent', 'matrix');
  return { pool, clock: systemClock, log, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
