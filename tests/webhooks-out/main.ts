//! `npm run test:webhooks`: endpoints that fail, hang and answer late, while api and workers are
//! killed; in the end every endpoint has every event, in order, signed, at least once.
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '../harness/chance.ts';
import { inLanes } from '../harness/lanes.ts';
import { say } from '../harness/report.ts';
import { runHarness } from '../harness/run.ts';
import { CROWDED, needed, type OpenSet, openStage, type SetWishes } from '../harness/set.ts';
import { planStrikes, runStrikes, strikesOn } from '../harness/strikes.ts';
import { within } from '../harness/wait.ts';
import { type Expected, judge, lagsOf } from './judge.ts';
import { COMMAND, type WebhookOptions } from './options.ts';
import { type Inbox, openReceivers, type Receivers } from './receivers.ts';
import { runText } from './report.ts';
import { makeEndpoint, openShop, type Shop } from './shop.ts';

/** Who draws which chance. */
const LUCK = { strikes: 2 };
const WRITERS = 8;
/** The other marketplace has one endpoint and a few events, which nobody else may see. */
const OTHERS_SHARE = 20;
/** So many events at most wait for the slowest endpoint. */
const AHEAD_MAX = 100;
const SAY_EVERY_MS = 15_000;

interface Run {
  readonly options: WebhookOptions;
  readonly receivers: Receivers;
  readonly shop: Shop;
  readonly other: Shop;
  /** The last one is the other marketplace's. */
  readonly endpoints: readonly Endpoint[];
}

interface Endpoint {
  readonly name: string;
  readonly shop: Shop;
  readonly inbox: Inbox;
  readonly deliveredTo: string | null;
}

async function testWebhooks(options: WebhookOptions): Promise<string[]> {
  const wishes: SetWishes = {
    ...{ apis: 2, workers: 2, isSteady: true, hasRedis: true, engine: true },
    ...{ sandbox: 'none', isLoud: options.loud, env: CROWDED },
  };
  const stage = await openStage(wishes, (set, begun) => openRun(options, set, begun));
  try {
    return await runAll(stage, stage);
  } finally {
    await stage.stop();
  }
}

async function openRun(
  options: WebhookOptions,
  { set, urls, engine }: OpenSet,
  begun: AsyncDisposableStack,
): Promise<Run> {
  const receivers = await openReceivers(options.endpoints + 1, options.hangs, options.seed);
  begun.defer(() => receivers.close());
  await needed(engine, 'Restate').served();
  const shop = await openShop(urls, set.ready, 'shop');
  const other = await openShop(urls, set.ready, 'other');
  const endpoints = await inLanes(receivers.inboxes, 1, async (inbox, at) => {
    const whose = at < options.endpoints ? shop : other;
    const { secret, deliveredTo } = await makeEndpoint(whose, receivers.urlOf(at));
    inbox.secret = secret;
    return { name: `endpoint ${at + 1}`, shop: whose, inbox, deliveredTo };
  });
  return { options, receivers, shop, other, endpoints };
}

async function runAll(set: OpenSet, run: Run): Promise<string[]> {
  const { options, receivers, shop, other } = run;
  const begun = performance.now();
  const done = () => Math.min(...receivers.inboxes.slice(0, -1).map(({ firsts }) => firsts.size));
  const { kills, wipes, seed } = options;
  const [chance, worker] = [chanceOf(seed, LUCK.strikes), Math.ceil(kills / 2)];
  const strikes = planStrikes({ worker, api: kills - worker, wipe: wipes }, chance);
  const striking = runStrikes(
    strikes,
    strikesOn(set, chance),
    chance,
    () => done() / options.events,
  );
  const saying = setInterval(() => say(`${done()} of ${options.events}`), SAY_EVERY_MS);
  await inLanes(Array.from({ length: options.events }), WRITERS, async (_, at) => {
    // Whatever is killed is killed while something is written, too.
    while (at - done() > AHEAD_MAX) await sleep(20);
    await shop.creditOnce(at);
    if (at % OTHERS_SHARE === 0) await other.creditOnce(at);
  });
  const writtenSeconds = (performance.now() - begun) / 1000;
  const expected = await awaitAll(run, begun + options.minutes * 60_000);
  clearInterval(saying);
  const isStruck = await Promise.race([
    striking.then(() => true),
    sleep(60_000, false, { ref: false }),
  ]);
  const seconds = (performance.now() - begun) / 1000;
  const wrong = expected.flatMap((each) => judge(each, each.inbox));
  if (!isStruck) wrong.push('not all was killed that should have been');
  const lags = expected.flatMap((each) => lagsOf(each, each.inbox));
  const { inboxes } = receivers;
  say(`\n${runText({ options, inboxes, expected, strikes, writtenSeconds, seconds, lags })}`);
  return wrong;
}

/** Until every endpoint has every event of its log, or it takes too long. */
async function awaitAll(run: Run, giveUpAt: number): Promise<Told[]> {
  for (;;) {
    const told = await toldOf(run);
    const isAll = () =>
      told.every(({ events, inbox }) => events.every(({ eventId }) => inbox.firsts.has(eventId)));
    const isWholeLog = told[0] !== undefined && told[0].events.length >= run.options.events;
    await within(giveUpAt - performance.now(), isAll, 100);
    if (isWholeLog || performance.now() >= giveUpAt) return told;
    // What was acknowledged last had no place yet when the log was read.
    await sleep(500);
  }
}

interface Told extends Expected {
  readonly inbox: Inbox;
}

function toldOf({ endpoints }: Run): Promise<Told[]> {
  return inLanes(endpoints, 1, async ({ name, shop, inbox, deliveredTo }) => {
    const events = await shop.pull(deliveredTo);
    return { name, marketplaceId: shop.id, events, inbox };
  });
}

await runHarness(COMMAND, testWebhooks);
