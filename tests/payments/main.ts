//! `npm run test:payments`: money in and out while webhooks fail. First all of them are lost, and
//! looking alone must end every payment. Then each comes five times in any order, some before we
//! have written down what they are about: the same ends, and nobody is credited twice.
import { ask, dataOf, poster } from '../harness/api.ts';
import { chanceOf } from '../harness/chance.ts';
import { inLanes } from '../harness/lanes.ts';
import { count, flag, type OptionsOf, seed } from '../harness/options.ts';
import { say, secondsSince } from '../harness/report.ts';
import { auditRun, runHarness } from '../harness/run.ts';
import { holdPayments } from '../harness/sandbox.ts';
import { openStage } from '../harness/set.ts';
import { awaitEnds, payIn, payOut, type Shop } from './payment.ts';
import { openPostOffice, type PostOffice } from './post-office.ts';

const options = {
  quick: flag('a few payments only'),
  topups: count('top-ups of each round', { full: 200, quick: 10 }),
  withdrawals: count('withdrawals of each round', { full: 200, quick: 10 }),
  lanes: count('payments at once', { full: 8 }),
  minutes: count('how long payments may take to end by themselves', { full: 5 }),
  loud: flag('show what the processes say on standard error'),
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
  const wishes = { isLoud: options.loud, env: ENV };
  const stage = await openStage(wishes, async ({ set }, begun) => {
    const office = await openPostOffice(set.ready);
    begun.defer(() => office.close());
    return { office };
  });
  try {
    const { office, sandbox } = stage;
    await holdPayments(sandbox);
    const get = async (path: string) => dataOf(path, await ask(stage, { path }));
    const play = roundsOf(options, { sandbox, post: poster(stage), get }, office);
    const lost = await play('all webhooks are lost', async () => undefined);
    office.begin(EARLY_PERCENT, chanceOf(options.seed, 1));
    const doubled = await play('each comes five times, shuffled', () => office.deliver(COPIES));
    return [...lost, ...doubled, ...(await auditRun(stage))];
  } finally {
    await stage.stop();
  }
}

type Play = (name: string, meanwhile: () => Promise<void>) => Promise<string[]>;

function roundsOf(options: PaymentOptions, shop: Shop, office: PostOffice): Play {
  const { topups, withdrawals, lanes, minutes } = options;
  return async (name, meanwhile) => {
    const begunAt = performance.now();
    const chance = chanceOf(options.seed, 2);
    const wanted = chance.shuffled([
      ...Array.from({ length: topups }, () => payIn),
      ...Array.from({ length: withdrawals }, () => payOut),
    ]);
    const payments = await inLanes(wanted, lanes, (begin) => begin(shop, chance));
    const begun = secondsSince(begunAt);
    await meanwhile();
    const wrong = await awaitEnds(shop, payments, minutes * 60_000);
    say(`${name}: ${payments.length} payments begun in ${begun}, over in ${secondsSince(begunAt)}`);
    say(
      `  ${office.sent} webhooks were sent, ${office.delivered} delivered; ${wrong.length} wrong`,
    );
    return wrong;
  };
}

await runHarness({ name: 'npm run test:payments', options }, testPayments);
