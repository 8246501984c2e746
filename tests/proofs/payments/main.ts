//! `npm run test:payments`: money in and out while webhooks fail. First all webhooks are lost, and
//! polling alone must complete every payment. Then each arrives five times in any order, some
//! before their payment is stored: the results are the same, with no double credit.
import { call, dataOf, poster } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { count, flag, type OptionsOf, seed } from '../../harness/options.ts';
import { randomOf } from '../../harness/random.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { holdPayments } from '../../harness/sandbox.ts';
import { openEnvironment } from '../../harness/set.ts';
import { awaitEnds, payIn, payOut, type Shop } from './payment.ts';
import { openPostOffice, type PostOffice } from './post-office.ts';

const options = {
  quick: flag('a few payments only'),
  topups: count('top-ups of each round', { full: 200, quick: 10 }),
  withdrawals: count('withdrawals of each round', { full: 200, quick: 10 }),
  lanes: count('payments at once', { full: 8 }),
  minutes: count('how long payments may take to end by themselves', { full: 5 }),
  loud: flag('show the standard error of the processes'),
  seed: seed('how payments end, and which webhooks come early', 1),
};
type PaymentOptions = OptionsOf<typeof options>;

const COPIES = 5;
const EARLY_PERCENT = 10;
const ENV = {
  HOLDFAST_RATE_LIMIT: 'off',
  HOLDFAST_TOPUPS_PER_USER: 'off',
  HOLDFAST_WITHDRAWALS_PER_USER: 'off',
};

async function testPayments(options: PaymentOptions): Promise<string[]> {
  const setOptions = { isLoud: options.loud, env: ENV };
  await using environment = await openEnvironment(setOptions, async ({ set }, started) => {
    const office = await openPostOffice(set.ready);
    started.defer(() => office.close());
    return { office };
  });
  const { office, sandbox } = environment;
  await holdPayments(sandbox);
  const get = async (path: string) => dataOf(path, await call(environment, { path }));
  const runRound = roundsOf(options, { sandbox, post: poster(environment), get }, office);
  const lost = await runRound('all webhooks are lost', async () => undefined);
  office.start(EARLY_PERCENT, randomOf(options.seed, 1));
  const doubled = await runRound('each comes five times, shuffled', () => office.deliver(COPIES));
  return [...lost, ...doubled, ...(await auditRun(environment))];
}

type RunRound = (name: string, meanwhile: () => Promise<void>) => Promise<string[]>;

function roundsOf(options: PaymentOptions, shop: Shop, office: PostOffice): RunRound {
  const { topups, withdrawals, lanes, minutes } = options;
  return async (name, meanwhile) => {
    const startedAt = performance.now();
    const random = randomOf(options.seed, 2);
    const wanted = random.shuffled([
      ...Array.from({ length: topups }, () => payIn),
      ...Array.from({ length: withdrawals }, () => payOut),
    ]);
    const payments = await inLanes(wanted, lanes, (start) => start(shop, random));
    const started = secondsSince(startedAt);
    await meanwhile();
    const wrong = await awaitEnds(shop, payments, minutes * 60_000);
    print(
      `${name}: ${payments.length} payments sent in ${started}, done in ${secondsSince(startedAt)}`,
    );
    print(
      `  ${office.sent} webhooks were sent, ${office.delivered} delivered; ${wrong.length} wrong`,
    );
    return wrong;
  };
}

await runHarness({ name: 'npm run test:payments', options }, testPayments);
