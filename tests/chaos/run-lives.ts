//! The lives of a run: clients that live them, and what strikes meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '../harness/chance.ts';
import { inLanes } from '../harness/lanes.ts';
import { say, secondsSince } from '../harness/report.ts';
import { planStrikes, runStrikes, type Strikes, strikesOn } from '../harness/strikes.ts';
import { openClient } from './client.ts';
import { complain, newLife } from './life.ts';
import type { Notebook } from './notebook.ts';
import { type ChaosOptions, STRIKES, sizeOf } from './options.ts';
import { type Plan, planLives } from './plan.ts';
import { startProviderFaults } from './provider-faults.ts';
import { SCRIPTS, type ScriptName, SHARES } from './scripts.ts';
import type { Stage } from './stage.ts';

export interface Lived {
  readonly seconds: number;
  readonly strikes: Strikes<keyof typeof STRIKES.full>;
  /** How often each fault of a provider struck. */
  readonly faults: ReadonlyMap<string, number>;
}

/** Who draws which chance. */
const LUCK = { strikes: 1, faults: 2, clients: 500_000 };
const SAY_EVERY = 50;

export function runLives(stage: Stage, options: ChaosOptions, notebook: Notebook): Promise<Lived> {
  const { seed } = options;
  const plans = planLives(SHARES, sizeOf(options).orders, seed, stage.marketplaces);
  return underStrikes(stage, options, plans, (plan) => liveOne(stage, plan, notebook, seed));
}

/** Does each, side by side, while everything fails. */
export async function underStrikes<T>(
  stage: Stage,
  options: ChaosOptions,
  things: readonly T[],
  work: (thing: T, at: number) => Promise<void>,
): Promise<Lived> {
  const { clients, seed } = options;
  const begunAt = performance.now();
  const strikes = planStrikes(
    options.quick ? STRIKES.quick : STRIKES.full,
    chanceOf(seed, LUCK.strikes),
  );
  const providers = startProviderFaults(stage.sandbox, chanceOf(seed, LUCK.faults));
  let ended = 0;
  const { length } = things;
  const live = async (thing: T, at: number) => {
    // Nobody runs away from the strikes: the last one falls before the last life ends.
    while (at / length > strikes.share()) await sleep(20);
    await work(thing, at);
    ended += 1;
    if (ended % SAY_EVERY === 0) say(`${ended} of ${length} in ${secondsSince(begunAt)}`);
  };
  const luck = chanceOf(seed, LUCK.strikes + 2);
  const striking = runStrikes(strikes, strikesOn(stage, luck), luck, () => ended / length);
  await Promise.all([inLanes(things, clients, live), striking]);
  const seconds = (performance.now() - begunAt) / 1000;
  return { seconds, strikes, faults: await providers.stop() };
}

async function liveOne(
  { urls }: Stage,
  plan: Plan<ScriptName>,
  notebook: Notebook,
  seed: number,
): Promise<void> {
  const chance = chanceOf(seed, LUCK.clients + plan.number);
  const client = openClient(urls, plan.marketplace.key, chance, notebook);
  const life = newLife(plan, client, notebook, seed);
  try {
    await SCRIPTS[plan.script].run(life);
  } catch (error) {
    complain(life, (error as Error).message);
  }
}
