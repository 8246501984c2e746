//! What the stories are played on: a whole set, a browser, operators who signed in, a marketplace.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Holdfast, type Order, type User } from '@holdfast/sdk';
import { World } from '@holdfast/sdk/testing';
import type { Browser } from 'playwright-core';
import type { LocalSet } from '../../apps/cli/src/local-set.ts';
import { orderInProgress } from '../../apps/cli/src/scenarios/order-steps.ts';
import { somebody } from '../../apps/cli/src/scenarios/people.ts';
import { openSandbox } from '../../apps/cli/src/scenarios/sandbox.ts';
import { seedDemo } from '../../apps/cli/src/scenarios/seed-demo.ts';
import type { Stage as StoryStage } from '../../apps/cli/src/scenarios/stage.ts';
import { openChromium } from '../browser/chromium.ts';
import { type Stage as OpenStage, openStage } from '../harness/set.ts';
import { Operator } from './operator.ts';

export type Name = 'petra' | 'vera' | 'sam' | 'fiona' | 'adam' | 'susan' | 'felix';

/** People are slow and the test is not: it does in a minute what they do in ten. */
const ENV = { HOLDFAST_RATE_LIMIT: '100000', HOLDFAST_OPERATOR_RATE_LIMIT: '10000' };

export class Stage {
  readonly set: LocalSet;
  readonly browser: Browser;
  readonly holdfast: Holdfast;
  readonly world: World;
  /** Where the pictures go. */
  readonly pictures: string;
  readonly #operators = new Map<Name, Promise<Operator>>();

  readonly close: () => Promise<void>;

  private constructor(opened: OpenStage<{ readonly browser: Browser }>, pictures: string) {
    this.set = opened.set;
    this.browser = opened.browser;
    this.pictures = pictures;
    this.holdfast = this.clientWith(opened.apiKey);
    this.world = new World({ url: opened.sandbox });
    this.close = () => opened.stop();
  }

  static async open(pictures: string): Promise<Stage> {
    mkdirSync(pictures, { recursive: true });
    const opened = await openStage({ env: ENV }, async (_, begun) => {
      const browser = await openChromium();
      begun.defer(() => browser.close());
      return { browser };
    });
    return new Stage(opened, pictures);
  }

  /** An order in every state, payments, disputes: something to see on every screen. */
  async seed(): Promise<void> {
    const { api, apiKey, sandbox = '' } = this.set.ready;
    await seedDemo({ api, apiKey, sandbox });
  }

  clientWith(apiKey: string): Holdfast {
    return new Holdfast({ baseUrl: this.set.ready.api, apiKey });
  }

  /** Somebody who has not signed in yet. */
  arrival(name: Name): Promise<Operator> {
    const who = this.set.ready.operators.find(({ email }) => email.startsWith(name));
    if (who === undefined) throw new Error(`nobody is called ${name}`);
    return Operator.arrive(this.browser, this.set.ready.api, who);
  }

  /** Signs in once: a code is taken only once. */
  at(name: Name): Promise<Operator> {
    const known = this.#operators.get(name) ?? this.arrival(name).then(signedIn);
    this.#operators.set(name, known);
    return known;
  }

  /** Whoever has signed in elsewhere stays for the others. */
  keep(name: Name, operator: Operator): void {
    this.#operators.set(name, Promise.resolve(operator));
  }

  async everybodyQuiet(): Promise<void> {
    for (const operator of await Promise.all(this.#operators.values())) operator.expectQuiet();
  }

  /** Nobody looks at a screen: one that nobody looks at still asks for news. */
  async everybodyRests(): Promise<void> {
    for (const operator of await Promise.all(this.#operators.values())) await operator.rest();
  }

  /** What everybody sees when something has failed. */
  async photographFault(name: string): Promise<void> {
    for (const [who, operator] of this.#operators) {
      const { page } = await operator;
      const path = join(this.pictures, `fault-${name.replace(/\W+/g, '-')}-${who}.png`);
      await page.screenshot({ path }).catch(() => undefined);
    }
  }

  /** An order of two new people, with its money in escrow. */
  order(title: string, amount: string): Promise<Order> {
    const stage = this.story(amount);
    const [buyer, seller] = [someName('buyer'), someName('seller')];
    return orderInProgress(stage, { title, buyer, seller });
  }

  user(): Promise<User> {
    return somebody(this.story('0'));
  }

  /** What the stories of the command line are played on. */
  story(amount: string): StoryStage {
    const sandbox = openSandbox(this.set.ready.sandbox);
    const { holdfast } = this;
    return { holdfast, sandbox, people: new Map(), amount, tell: () => undefined };
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
