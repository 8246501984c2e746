//! `npm run test:alerts`: a Prometheus scrapes a running set. A healthy set makes no alert; a lost
//! worker, a lost engine, an escalated operation and a notification that is not applied each make
//! theirs, and no other. Those that need hours of data are tested by promtool.
import { findPrometheus } from '../../../tools/installed.ts';
import { rulesText } from '../../../tools/telemetry/rules-text.ts';
import { call } from '../../harness/api.ts';
import { flag, type OptionsOf } from '../../harness/options.ts';
import { type Prometheus, startPrometheus } from '../../harness/prometheus.ts';
import { print } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { needed, type OpenSet, openSet } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';

const options = {
  quick: flag('the short slice: the lost worker and the lost engine'),
  loud: flag('show the standard error of the processes'),
};

/** Instead of the minutes of each alert. A reading of the database comes every 10 seconds. */
const LASTING = '3s';
const FIRES_MS_MAX = 60_000;
const QUIET_MS_MAX = 60_000;
/** Longer than an alert must last. */
const QUIET_MS = 5000;

interface Case {
  readonly name: string;
  readonly alert: string;
  readonly isQuick: boolean;
  cause(set: OpenSet): Promise<void>;
  mend(set: OpenSet): Promise<void>;
}

/** As a saga leaves it that a provider refuses after money has moved. */
const OPERATION = `insert into operation (marketplace_id, id, kind, resource_type, resource_id, status,
    epoch, attempts, has_moved_money, plan, next_try_at, heartbeat_at, escalated_at, actor_id,
    correlation_id, created_at, updated_at)
  select id, 'op_alert', 'release-order', 'Order', 'ord_alert', 'ESCALATED', 1, 1, true, '{}',
    now() + interval '1 day', now() + interval '1 day', now(), 'system', 'alert', now(), now()
  from marketplace order by id limit 1`;

const CASES: readonly Case[] = [
  {
    name: 'a worker is killed',
    alert: 'Gone',
    isQuick: true,
    cause: ({ workers }) => needed(workers[1], 'second worker').kill('SIGKILL'),
    mend: async ({ set, workers }) => {
      workers[1] = await set.startWorker();
    },
  },
  {
    name: 'Restate is stopped',
    alert: 'Gone',
    isQuick: true,
    cause: ({ engine }) => needed(engine, 'Restate').kill('SIGKILL'),
    mend: ({ engine }) => needed(engine, 'Restate').start(),
  },
  {
    name: 'an operation is escalated',
    alert: 'Escalated',
    isQuick: false,
    cause: async ({ monitor }) => {
      await monitor.query(OPERATION);
      await monitor.query(
        `insert into open_operation (marketplace_id, resource_id, operation_id)
         select id, 'ord_alert', 'op_alert' from marketplace order by id limit 1`,
      );
    },
    mend: async ({ monitor }) => {
      await monitor.query(`delete from open_operation where operation_id = 'op_alert'`);
    },
  },
  {
    name: 'a notification is not applied',
    alert: 'Stuck',
    isQuick: false,
    cause: async ({ monitor }) => {
      await monitor.query(
        `insert into inbox (provider, provider_event_id, event_type, body, received_at,
           correlation_id, status, attempts, next_try_at)
         values ('payment-provider', 'alert', 'x', '{}', now() - interval '5 minutes', 'alert',
           'PENDING', 0, now() + interval '1 day')`,
      );
    },
    mend: async ({ monitor }) => {
      await monitor.query(`delete from inbox where provider_event_id = 'alert'`);
    },
  },
];

async function testAlerts({ quick, loud }: OptionsOf<typeof options>): Promise<string[]> {
  const program = needed(findPrometheus(), 'Prometheus: install it');
  await using set = await openSet({
    workers: 2,
    isLoud: loud,
    env: { HOLDFAST_INTERNAL_PORT: '0' },
  });
  const prometheus = await startPrometheus(program, rulesText(LASTING));
  try {
    const scrape = () => prometheus.scrape({ api: set.apis, worker: set.workers });
    scrape();
    await sendRefusedCalls(set);
    const wrong = await expectFiring(prometheus, 'a healthy set that refuses calls', []);
    for (const each of CASES.filter(({ isQuick }) => isQuick || !quick)) {
      await each.cause(set);
      wrong.push(...(await expectFiring(prometheus, each.name, [each.alert])));
      await each.mend(set);
      scrape();
      wrong.push(...(await expectFiring(prometheus, `${each.name}, mended`, [])));
    }
    return wrong;
  } finally {
    await prometheus.stop();
  }
}

/** A caller's faults, which are no alert of ours. */
async function sendRefusedCalls({ api, set }: OpenSet): Promise<void> {
  const { apiKey } = set.ready;
  const calls = ['/no-such-route', '/orders/ord_none', '/users?limit=x'].map((path) =>
    call({ api, apiKey }, { path }),
  );
  const refused = (await Promise.all(calls)).filter(({ status = 0 }) => status >= 400);
  if (refused.length !== calls.length) throw new Error('a call was not refused');
}

/** Exactly these, within a time; and nothing else meanwhile. */
async function expectFiring(
  prometheus: Prometheus,
  name: string,
  wanted: readonly string[],
): Promise<string[]> {
  const others = new Set<string>();
  let firing: string[] = [];
  const startedAt = performance.now();
  let quietSince = Number.POSITIVE_INFINITY;
  const isAsWanted = async () => {
    firing = await prometheus.firing();
    for (const each of firing) if (!AT_REST.has(each) && !wanted.includes(each)) others.add(each);
    firing = firing.filter((each) => !AT_REST.has(each));
    if (wanted.length > 0) return firing.join() === wanted.join();
    const isQuiet = firing.length === 0 && (await hasReadings(prometheus));
    quietSince = isQuiet ? Math.min(quietSince, performance.now()) : Number.POSITIVE_INFINITY;
    return performance.now() - quietSince > QUIET_MS;
  };
  const msMax = wanted.length > 0 ? FIRES_MS_MAX : QUIET_MS_MAX;
  const isSo = await within(msMax, isAsWanted, 200);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  print(`${name}: ${firing.join(', ') || 'no alert'} after ${seconds} s`);
  if (!isSo) return [`${name}: ${firing.join(', ') || 'no alert'} instead of ${wanted.join()}`];
  return wanted.length === 0 ? [] : [...others].map((other) => `${name}: ${other} fired too`);
}

/** Before the first reading of the database, half of the alerts cannot fire. */
async function hasReadings(prometheus: Prometheus): Promise<boolean> {
  const { result } = (await prometheus.get('query?query=holdfast_inbox_oldest_seconds')) as {
    result: unknown[];
  };
  return result.length > 0;
}

/** A new sandbox has less money than a real house. */
const AT_REST: ReadonlySet<string> = new Set(['LowTreasury', 'LowXlmReserve', 'LowProviderFloat']);

await runHarness({ name: 'npm run test:alerts', options }, testAlerts);
