//! Runs the planned orders: clients side by side, under disruptions and provider faults.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Disruptions,
  disruptionsOn,
  planDisruptions,
  runDisruptions,
} from '../../harness/disruptions.ts';
import { inLanes } from '../../harness/lanes.ts';
import { leaveOnePlatformAdmin } from '../../harness/people.ts';
import { randomOf } from '../../harness/random.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { openClient } from './client.ts';
import type { Environment } from './environment.ts';
import { complain, newLife } from './life.ts';
import type { Notebook } from './notebook.ts';
import { type ChaosOptions, DISRUPTIONS, sizeOf } from './options.ts';
import { type Plan, planLives } from './plan.ts';
import { startProviderFaults } from './provider-faults.ts';
import { type StopRecord, startStops } from './run-stops.ts';
import { SCRIPTS, type ScriptName, SHARES } from './scripts.ts';

export interface Lived {
  readonly seconds: number;
  readonly disruptions: Disruptions<keyof typeof DISRUPTIONS.full>;
  /** How often each provider fault occurred. */
  readonly faults: ReadonlyMap<string, number>;
  readonly stops: readonly StopRecord[];
  /** The number of orders, payments or pairs of members. */
  readonly worked: number;
}

/** What clients do in some marketplaces, which are stopped now and then meanwhile. */
export interface Work<T> {
  readonly marketplaceIds: readonly string[];
  readonly notebook: Notebook;
  readonly things: readonly T[];
  readonly work: (thing: T, at: number) => Promise<void>;
}

/** The random stream of each component. */
const RANDOM_STREAM = { disruptions: 1, faults: 2, clients: 500_000 };
const PRINT_EVERY = 50;

export function runLives(
  environment: Environment,
  options: ChaosOptions,
  notebook: Notebook,
): Promise<Lived> {
  const { seed } = options;
  const plans = planLives(SHARES, sizeOf(options).orders, seed, environment.marketplaces);
  return underDisruptions(environment, options, {
    marketplaceIds: environment.marketplaces.map(({ id }) => id),
    notebook,
    things: plans,
    work: (plan) => liveOne(environment, plan, notebook, seed),
  });
}

/** Runs all work side by side under disruptions and stops; at the end every stop is lifted. */
export async function underDisruptions<T>(
  environment: Environment,
  options: ChaosOptions,
  { marketplaceIds, notebook, things, work }: Work<T>,
): Promise<Lived> {
  const { clients, seed } = options;
  const startedAt = performance.now();
  const disruptions = planDisruptions(
    options.quick ? DISRUPTIONS.quick : DISRUPTIONS.full,
    randomOf(seed, RANDOM_STREAM.disruptions),
  );
  const providers = startProviderFaults(environment.sandbox, randomOf(seed, RANDOM_STREAM.faults));
  // The master key resumes payouts only while there are fewer than two platform admins.
  await leaveOnePlatformAdmin(environment.set.databaseUrl);
  const stops = startStops(environment, options, marketplaceIds, notebook);
  let ended = 0;
  const { length } = things;
  const live = async (thing: T, at: number) => {
    // Work waits for the disruptions: the last one comes before the last order ends.
    while (at / length > disruptions.share()) await sleep(20);
    await work(thing, at);
    ended += 1;
    if (ended % PRINT_EVERY === 0) print(`${ended} of ${length} in ${secondsSince(startedAt)}`);
  };
  const random = randomOf(seed, RANDOM_STREAM.disruptions + 2);
  const striking = runDisruptions(
    disruptions,
    disruptionsOn(environment, random),
    random,
    () => ended / length,
  );
  await Promise.all([inLanes(things, clients, live), striking]);
  const seconds = (performance.now() - startedAt) / 1000;
  const records = await stops.end();
  return { seconds, disruptions, faults: await providers.stop(), stops: records, worked: length };
}

async function liveOne(
  { urls }: Environment,
  plan: Plan<ScriptName>,
  notebook: Notebook,
  seed: number,
): Promise<void> {
  const random = randomOf(seed, RANDOM_STREAM.clients + plan.number);
  const client = openClient(urls, plan.marketplace.key, random, notebook);
  const life = newLife(plan, client, notebook, seed);
  try {
    await SCRIPTS[plan.script].run(life);
  } catch (error) {
    complain(life, (error as Error).message);
  }
}
