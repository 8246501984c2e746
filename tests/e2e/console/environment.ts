//! The environment of the console checks: a set, a browser, signed-in operators and a marketplace.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Holdfast, type Order, type User } from '@holdfast/sdk';
import { World } from '@holdfast/sdk/testing';
import type { Browser } from 'playwright-core';
import type { LocalSet } from '../../../apps/cli/src/local-set.ts';
import { orderInProgress } from '../../../apps/cli/src/scenarios/order-steps.ts';
import { newPerson } from '../../../apps/cli/src/scenarios/people.ts';
import { openSandbox } from '../../../apps/cli/src/scenarios/sandbox.ts';
import type { ScenarioContext as ScenarioEnvironment } from '../../../apps/cli/src/scenarios/scenario.ts';
import { seedDemo } from '../../../apps/cli/src/scenarios/seed-demo.ts';
import { openChromium } from '../../harness/browser/chromium.ts';
import { type Environment as OpenEnvironment, openEnvironment } from '../../harness/set.ts';
import { Operator } from './operator.ts';

export type Name =
  | 'petra'
  | 'paul'
  | 'vera'
  | 'sam'
  | 'fiona'
  | 'adam'
  | 'susan'
  | 'felix'
  | 'anna';

/** The test does in one minute the work of ten, so the limits are higher than usual. */
const ENV = { HOLDFAST_RATE_LIMIT: '100000', HOLDFAST_OPERATOR_RATE_LIMIT: '10000' };

export class Environment implements AsyncDisposable {
  readonly set: LocalSet;
  readonly browser: Browser;
  readonly holdfast: Holdfast;
  readonly world: World;
  /** The folder for screenshots. */
  readonly pictures: string;
  readonly #operators = new Map<Name, Promise<Operator>>();

  readonly #stop: () => Promise<void>;

  private constructor(opened: OpenEnvironment<{ readonly browser: Browser }>, pictures: string) {
    this.set = opened.set;
    this.browser = opened.browser;
    this.pictures = pictures;
    this.holdfast = this.clientWith(opened.apiKey);
    this.world = new World({ url: opened.sandbox });
    this.#stop = () => opened.stop();
  }

  static async open(pictures: string): Promise<Environment> {
    mkdirSync(pictures, { recursive: true });
    const opened = await openEnvironment({ env: ENV }, async (_, cleanup) => {
      const browser = await openChromium();
      cleanup.defer(() => browser.close());
      return { browser };
    });
    return new Environment(opened, pictures);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stop();
  }

  /** Creates orders in every state, payments and disputes, so that every screen shows data. */
  async seed(): Promise<void> {
    const { api, apiKey, sandbox = '' } = this.set.ready;
    await seedDemo({ api, apiKey, sandbox });
  }

  clientWith(apiKey: string): Holdfast {
    return new Holdfast({ baseUrl: this.set.ready.api, apiKey });
  }

  /** An operator who has not signed in yet. */
  arrival(name: Name): Promise<Operator> {
    const who = this.set.ready.operators.find(({ email }) => email.startsWith(name));
    if (who === undefined) throw new Error(`no operator is called ${name}`);
    return Operator.arrive(this.browser, this.set.ready.api, who);
  }

  /** Signs each operator in once, because a two-factor code is accepted only once. */
  at(name: Name): Promise<Operator> {
    const known = this.#operators.get(name) ?? this.arrival(name).then(signedIn);
    this.#operators.set(name, known);
    return known;
  }

  /** Keeps an operator who signed in elsewhere for the other checks. */
  store(name: Name, operator: Operator): void {
    this.#operators.set(name, Promise.resolve(operator));
  }

  async everybodyQuiet(): Promise<void> {
    for (const operator of await Promise.all(this.#operators.values())) operator.expectQuiet();
  }

  /** Leaves every screen: an open one still polls for news. */
  async everybodyRests(): Promise<void> {
    for (const operator of await Promise.all(this.#operators.values())) await operator.rest();
  }

  /** Takes a screenshot of every operator's page after a failure. */
  async photographFault(name: string): Promise<void> {
    for (const [who, operator] of this.#operators) {
      const { page } = await operator;
      const path = join(this.pictures, `fault-${name.replace(/\W+/g, '-')}-${who}.png`);
      await page.screenshot({ path }).catch(() => undefined);
    }
  }

  /** An order of two new users, with its money in escrow. */
  order(title: string, amount: string): Promise<Order> {
    const context = this.scenarioContext(amount);
    const [buyer, seller] = [someName('buyer'), someName('seller')];
    return orderInProgress(context, { title, buyer, seller });
  }

  user(): Promise<User> {
    return newPerson(this.scenarioContext('0'));
  }

  /** The environment of the CLI's scenarios. */
  scenarioContext(amount: string): ScenarioEnvironment {
    const sandbox = openSandbox(this.set.ready.sandbox);
    const { holdfast } = this;
    return { holdfast, sandbox, people: new Map(), amount, report: () => undefined };
  }
}

let named = 0;
function someName(role: string): string {
  named += 1;
  return `${role}-${Date.now().toString(36)}-${named}`;
}

async function signedIn(operator: Operator): Promise<Operator> {
  await operator.signIn();
  return operator;
}
