//! `npm run test:webhooks`: endpoints fail, hang and respond late, while api and workers are
//! killed. In the end every endpoint has every event, in order, signed, at least once.
import { setTimeout as sleep } from 'node:timers/promises';
import { disruptionsOn, planDisruptions, runDisruptions } from '../../harness/disruptions.ts';
import { inLanes } from '../../harness/lanes.ts';
import { randomOf } from '../../harness/random.ts';
import { print } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import {
  HIGH_LOAD,
  needed,
  type OpenSet,
  openEnvironment,
  type SetOptions,
} from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { checkInbox, type Expected, lagsOf } from './check-inbox.ts';
import { COMMAND, type WebhookOptions } from './options.ts';
import { type Inbox, openReceivers, type Receivers } from './receivers.ts';
import { runText } from './report.ts';
import { createEndpoint, openShop, type Shop } from './shop.ts';

/** Numbers of the random sequences. */
const RANDOM_STREAM = { disruptions: 2 };
const WRITERS = 8;
/** The other marketplace has one endpoint and a few events, which no other endpoint may get. */
const OTHERS_SHARE = 20;
/** At most this many events wait for the slowest endpoint. */
const AHEAD_MAX = 100;
const PRINT_INTERVAL_MS = 15_000;

interface Run {
  readonly options: WebhookOptions;
  readonly receivers: Receivers;
  readonly shop: Shop;
  readonly other: Shop;
  /** The last one belongs to the other marketplace. */
  readonly endpoints: readonly Endpoint[];
}

interface Endpoint {
  readonly name: string;
  readonly shop: Shop;
  readonly inbox: Inbox;
  readonly deliveredTo: string | null;
}

async function testWebhooks(options: WebhookOptions): Promise<string[]> {
  const setOptions: SetOptions = {
    ...{ apis: 2, workers: 2, isSteady: true, hasRedis: true, engine: true },
    ...{ sandbox: 'none', isLoud: options.loud, env: HIGH_LOAD },
  };
  await using environment = await openEnvironment(setOptions, (set, started) =>
    openRun(options, set, started),
  );
  return await runAll(environment, environment);
}

async function openRun(
  options: WebhookOptions,
  { set, urls, engine }: OpenSet,
  started: AsyncDisposableStack,
): Promise<Run> {
  const receivers = await openReceivers(options.endpoints + 1, options.hangs, options.seed);
  started.defer(() => receivers.close());
  await needed(engine, 'Restate').served();
  const shop = await openShop(urls, set.ready, 'shop');
  const other = await openShop(urls, set.ready, 'other');
  const endpoints = await inLanes(receivers.inboxes, 1, async (inbox, at) => {
    const whose = at < options.endpoints ? shop : other;
    const { secret, deliveredTo } = await createEndpoint(whose, receivers.urlOf(at));
    inbox.secret = secret;
    return { name: `endpoint ${at + 1}`, shop: whose, inbox, deliveredTo };
  });
  return { options, receivers, shop, other, endpoints };
}

async function runAll(set: OpenSet, run: Run): Promise<string[]> {
  const { options, receivers, shop, other } = run;
  const started = performance.now();
  const done = () => Math.min(...receivers.inboxes.slice(0, -1).map(({ firsts }) => firsts.size));
  const { kills, wipes, seed } = options;
  const [random, worker] = [randomOf(seed, RANDOM_STREAM.disruptions), Math.ceil(kills / 2)];
  const disruptions = planDisruptions({ worker, api: kills - worker, wipe: wipes }, random);
  const striking = runDisruptions(
    disruptions,
    disruptionsOn(set, random),
    random,
    () => done() / options.events,
  );
  const progress = setInterval(() => print(`${done()} of ${options.events}`), PRINT_INTERVAL_MS);
  await inLanes(Array.from({ length: options.events }), WRITERS, async (_, at) => {
    // Writes at the pace of the endpoints, so that kills also happen during writes.
    while (at - done() > AHEAD_MAX) await sleep(20);
    await shop.creditOnce(at);
    if (at % OTHERS_SHARE === 0) await other.creditOnce(at);
  });
  const writtenSeconds = (performance.now() - started) / 1000;
  const expected = await awaitAll(run, started + options.minutes * 60_000);
  clearInterval(progress);
  const isDisrupted = await Promise.race([
    striking.then(() => true),
    sleep(60_000, false, { ref: false }),
  ]);
  const seconds = (performance.now() - started) / 1000;
  const wrong = expected.flatMap((each) => checkInbox(each, each.inbox));
  if (!isDisrupted) wrong.push('not all planned kills took place');
  const lags = expected.flatMap((each) => lagsOf(each, each.inbox));
  const { inboxes } = receivers;
  print(`\n${runText({ options, inboxes, expected, disruptions, writtenSeconds, seconds, lags })}`);
  return wrong;
}

/** Waits until every endpoint has every event of its log, or the time is up. */
async function awaitAll(run: Run, giveUpAt: number): Promise<ExpectedInbox[]> {
  for (;;) {
    const expected = await expectedOf(run);
    const isAll = () =>
      expected.every(({ events, inbox }) =>
        events.every(({ eventId }) => inbox.firsts.has(eventId)),
      );
    const isWholeLog = expected[0] !== undefined && expected[0].events.length >= run.options.events;
    await within(giveUpAt - performance.now(), isAll, 100);
    if (isWholeLog || performance.now() >= giveUpAt) return expected;
    // The last acknowledged events were not sequenced yet when the log was read.
    await sleep(500);
  }
}

interface ExpectedInbox extends Expected {
  readonly inbox: Inbox;
}

function expectedOf({ endpoints }: Run): Promise<ExpectedInbox[]> {
  return inLanes(endpoints, 1, async ({ name, shop, inbox, deliveredTo }) => {
    const events = await shop.pull(deliveredTo);
    return { name, marketplaceId: shop.id, events, inbox };
  });
}

await runHarness(COMMAND, testWebhooks);
