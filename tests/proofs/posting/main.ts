//! `npm run test:posting`: random batches posted together and one by one must give the same rows.
import pg from 'pg';
import { migrate } from '../../../apps/server/src/platform/database/migrator.ts';
import { findTestPostgres } from '../../../apps/server/src/testing/database/test-postgres.ts';
import { count, flag, seed } from '../../harness/options.ts';
import { print } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { type Comparison, compareWays } from './compare-ways.ts';

const PRINTED_EACH = 50_000;
/** With less, hardly anything was compared. */
const TOGETHER_SHARE_MIN = 0.4;

const options = {
  quick: flag('a short run'),
  batches: count('random batches', { full: 1_000_000, quick: 2000 }),
  databases: count('databases at once, with one connection each', { full: 2 }),
  seed: seed('seed of the batches'),
};

await runHarness({ name: 'npm run test:posting', options }, async (values) => {
  const postgres = await findTestPostgres();
  const admin = new pg.Client(postgres.adminUrl);
  await admin.connect();
  const names = Array.from(
    { length: values.databases },
    (_, at) => `holdfast_posting_${process.pid}_${at}`,
  );
  const urlOf = (name: string) =>
    Object.assign(new URL(postgres.adminUrl), { pathname: name }).href;
  const startedAt = performance.now();
  try {
    for (const name of names) {
      await admin.query(`create database ${name}`);
      await migrate(urlOf(name));
    }
    const { batches, seed: seeded } = values;
    const report = printer(startedAt);
    const compared = await compareWays({
      databaseUrls: names.map(urlOf),
      batches,
      seed: seeded,
      report,
    });
    print(textOf(compared, startedAt));
    const share = compared.postedTogether / compared.batches;
    return [
      ...compared.differences,
      ...(share < TOGETHER_SHARE_MIN ? [`only ${share.toFixed(2)} could be posted together`] : []),
    ];
  } finally {
    for (const name of names) await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
    await postgres.stop();
  }
});

function printer(startedAt: number): (comparison: Comparison) => void {
  let next = PRINTED_EACH;
  return (comparison) => {
    if (comparison.batches < next) return;
    next += PRINTED_EACH;
    print(textOf(comparison, startedAt));
  };
}

function textOf({ batches, postedTogether, startedOver }: Comparison, startedAt: number): string {
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return (
    `${batches} batches, ${postedTogether} posted together, ${startedOver} started over, ` +
    `${seconds} s`
  );
}
