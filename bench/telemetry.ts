//! `npm run bench:telemetry`: what metrics cost. One api process takes credits over HTTP while its
//! metrics are switched on and off in turns; the result is the median ratio of neighbouring slices.
import { fileURLToPath } from 'node:url';
import { LOGINS, settingsFor } from '../apps/cli/src/process-settings.ts';
import { type ServerProcess, startProcess } from '../apps/cli/src/server-process.ts';
import { count, flag, type OptionsOf, ratio } from '../tests/harness/options.ts';
import { print, tableText } from '../tests/harness/report.ts';
import { type OpenSet, openSet } from '../tests/harness/set.ts';
import { measureService } from './books/measure.ts';
import { seed } from './books/seed.ts';
import { grouped, spreadOf } from './harness/figures.ts';
import { type Outcome, runBench } from './harness/verdict.ts';

const options = {
  slices: count('slices with metrics, and as many without', { full: 12, quick: 2 }),
  seconds: count('seconds of each slice', { full: 5, quick: 1 }),
  connections: count('connections that send credits', { full: 64 }),
  users: count('users whose balances are credited', { full: 1000, quick: 100 }),
  least: ratio('lowest ratio of credits a second with metrics to those without', { full: 0.95 }),
  quick: flag('a short run, which is not held to the ratio'),
  strict: flag('exit 1 when the ratio is missed; always so without --quick'),
};

/** As often as Prometheus comes in deploy/prometheus, and at least once in each slice. */
const SCRAPE_MS = 2000;
const WARM_UP_SECONDS = 3;

async function benchTelemetry(values: OptionsOf<typeof options>): Promise<Outcome> {
  await using set = await openSet({
    worker: false,
    sandbox: 'none',
    env: { HOLDFAST_RATE_LIMIT: 'off', HOLDFAST_INTERNAL_PORT: '0' },
  });
  const { userIds } = await seed(set, values.users);
  const api = await startApi(set);
  try {
    const served = { ...set, apis: [api], urls: [api.url] };
    const { connections, seconds } = values;
    const load = { operations: ['credit'], userIds, connections };
    await measureService({ set: served, seconds: WARM_UP_SECONDS }, load);
    const faults: string[] = [];
    const slice = async (isOn: boolean) => {
      using _scraping = scrape(api, isOn);
      const measured = await measureService({ set: served, seconds }, load);
      if (measured.firstFault !== undefined) faults.push(measured.firstFault);
      return measured.perSecond;
    };
    const pairs = await measurePairs(api, values.slices, slice);
    return { ...report(pairs, values), faults };
  } finally {
    await api.kill('SIGTERM');
  }
}

interface Pair {
  readonly on: number;
  readonly off: number;
}

/** On, off, off, on: what drifts over the run favours neither. */
async function measurePairs(
  api: ServerProcess,
  count: number,
  slice: (isOn: boolean) => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const toggle = () => process.kill(api.pid, 'SIGUSR2');
  while (pairs.length < count) {
    if (pairs.length % 2 === 0) {
      const on = await slice(true);
      toggle();
      pairs.push({ on, off: await slice(false) });
    } else {
      const off = await slice(false);
      toggle();
      pairs.push({ on: await slice(true), off });
    }
  }
  return pairs;
}

function report(pairs: readonly Pair[], { least, quick, slices }: OptionsOf<typeof options>) {
  const ratios = spreadOf(pairs.map(({ on, off }) => on / off));
  const line = (name: string, values: readonly number[]) => {
    const { median, low, high } = spreadOf(values);
    return [name, grouped(median), grouped(low), grouped(high)];
  };
  print(
    tableText([
      ['credits a second', 'median', 'lowest', 'highest'],
      line(
        'with metrics',
        pairs.map(({ on }) => on),
      ),
      line(
        'without',
        pairs.map(({ off }) => off),
      ),
    ]),
  );
  const spread = `${ratios.low.toFixed(3)} to ${ratios.high.toFixed(3)}`;
  const name = `median ratio of ${slices} pairs (${spread}), with metrics to without`;
  return { targets: [{ name, figure: ratios.median, least }], isBinding: !quick };
}

async function startApi({ set }: OpenSet): Promise<ServerProcess> {
  const own = { HOLDFAST_PORT: '0', HOLDFAST_DATABASE_ROLE: LOGINS.api };
  const env = settingsFor('api', { ...set.settings, ...own });
  return startProcess(fileURLToPath(import.meta.resolve('./telemetry/api.ts')), env, 'ignore');
}

/** Reads the metrics as Prometheus does, while they are on. */
function scrape({ readyInfo }: ServerProcess, isOn: boolean): Disposable {
  const read = () => {
    fetch(`${String(readyInfo['internal'])}/metrics`)
      .then((response) => response.text())
      .catch(() => undefined);
  };
  const timer = isOn ? setInterval(read, SCRAPE_MS) : undefined;
  if (isOn) read();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

await runBench({ name: 'npm run bench:telemetry', options }, benchTelemetry);
