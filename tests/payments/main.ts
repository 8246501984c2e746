//! `npm run test:payments`: money in and out while webhooks fail. First all of them are lost, and
//! looking alone must end every payment. Then each comes five times in any order, some before we
//! have written down what they are about: the same ends, and nobody is credited twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalSet } from '../../apps/cli/src/local-set.ts';
import { runAuditor } from '../auditor/run-auditor.ts';
import { inLanes } from '../chaos/lanes.ts';
import { chanceOf } from '../chaos-events/chance.ts';
import { endsWrong, type Payment, payIn, payOut } from './payment.ts';
import { openPostOffice, type PostOffice } from './post-office.ts';
import { openShop, type Shop } from './shop.ts';

const { values } = parseArgs({
  options: {
    topups: { type: 'string', default: '200' },
    withdrawals: { type: 'string', default: '200' },
    lanes: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    /** How long payments may take to end by themselves. */
    minutes: { type: 'string', default: '5' },
  },
});
const COPIES = 5;
const EARLY_PERCENT = 10;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  say(`seed ${values.seed}`);
  const set = await startLocalSet({
    quiet: true,
    env: { HOLDFAST_RATE_LIMIT: 'off', ...UNLIMITED },
  });
  const office = await openPostOffice(set.ready);
  try {
    const shop = await openShop(set.ready);
    const lost = await round('all webhooks are lost', shop, office, async () => undefined);
    office.begin(EARLY_PERCENT, chanceOf(Number(values.seed), 1));
    const doubled = await round('each comes five times, shuffled', shop, office, () =>
      office.deliver(COPIES),
    );
    const where = ['--database', set.databaseUrl, '--sandbox', set.ready.sandbox ?? ''];
    const { said, isClean } = await runAuditor(where);
    say(said);
    const wrong = lost + doubled;
    say(`${wrong} payments ended wrong; auditor ${isClean ? 'clean' : 'found faults'}`);
    return wrong === 0 && isClean ? 0 : 1;
  } finally {
    await office.close();
    await set.stop();
  }
}

const UNLIMITED = { HOLDFAST_TOPUPS_PER_USER: 'off', HOLDFAST_WITHDRAWALS_PER_USER: 'off' };

async function round(
  name: string,
  shop: Shop,
  office: PostOffice,
  meanwhile: () => Promise<void>,
): Promise<number> {
  const begunAt = performance.now();
  const chance = chanceOf(Number(values.seed), 2);
  const wanted = [
    ...Array.from({ length: Number(values.topups) }, () => payIn),
    ...Array.from({ length: Number(values.withdrawals) }, () => payOut),
  ];
  const payments = await inLanes(chance.shuffled(wanted), Number(values.lanes), (begin) =>
    begin(shop, chance),
  );
  const begun = seconds(begunAt);
  await meanwhile();
  const wrong = await awaitEnds(shop, payments);
  const told = `${office.sent} webhooks were sent, ${office.delivered} delivered`;
  say(
    `${name}: ${payments.length} payments begun in ${begun} s, ended after ${seconds(begunAt)} s`,
  );
  say(`  ${told}; ${wrong.length} wrong`);
  for (const each of wrong.slice(0, 10)) say(`  WRONG ${each}`);
  return wrong.length;
}

/** Nobody asks for a refresh: looking is the service's own business. */
async function awaitEnds(shop: Shop, payments: readonly Payment[]): Promise<string[]> {
  const giveUpAt = performance.now() + Number(values.minutes) * 60_000;
  for (let open = payments; ; await sleep(1000)) {
    const faults = await inLanes(open, Number(values.lanes), (each) => endsWrong(shop, each));
    open = open.filter((_, at) => faults[at] !== undefined);
    if (open.length === 0) return [];
    if (performance.now() > giveUpAt)
      return faults.filter((fault): fault is string => fault !== undefined);
  }
}

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(0);

process.exit(await main());
