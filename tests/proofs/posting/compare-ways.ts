//! Posts random batches together and one by one, and lists what differs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inLanes } from '../../harness/lanes.ts';
import { randomOf } from '../../harness/random.ts';

export interface Comparison {
  batches: number;
  /** Those that could be posted together: the others take the same way both times. */
  postedTogether: number;
  /** Those that failed when posted together because a key comes twice in them. */
  startedOver: number;
  readonly differences: string[];
}

export interface ComparisonOptions {
  /** Migrated databases with no other user: each runs its share at the same time. */
  readonly databaseUrls: readonly string[];
  readonly batches: number;
  readonly seed: number;
  readonly report?: (comparison: Comparison) => void;
}

/** Batches between two fresh starts: rows that were undone slow down every later batch. */
const ROUND = 200;
/** PostgreSQL takes a seed from 0 to 1. */
const SEEDS = 2 ** 30;
const DIFFERENCES_MAX = 3;

/** As in the posting functions, so that both use the same plans. */
const SESSION = `set search_path = pg_catalog, public, pg_temp;
  set plan_cache_mode = force_generic_plan;
  set synchronous_commit = off`;
const VACUUM = `vacuum account, entry, house_delta, reservation, lien, entry_reference, idempotency, outbox,
  audit`;

export async function compareWays(options: ComparisonOptions): Promise<Comparison> {
  const { databaseUrls, batches, seed, report } = options;
  const total = { batches: 0, postedTogether: 0, startedOver: 0, differences: [] as string[] };
  await inLanes(databaseUrls, databaseUrls.length, async (url, lane) => {
    const random = randomOf(seed, lane);
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query(readFileSync(join(import.meta.dirname, 'compare.sql'), 'utf8'));
      await client.query(SESSION);
      await client.query('call posting_test.open_books()');
      for (let first = 1; total.batches < batches; first += ROUND) {
        const size = Math.min(ROUND, batches - total.batches);
        total.batches += size;
        const { rows } = await client.query<{ posted_together: number; started_over: number }>(
          'call posting_test.compare_batches($1, $2, $3)',
          [first, size, random.below(SEEDS) / SEEDS],
        );
        total.postedTogether += rows[0]?.posted_together ?? 0;
        total.startedOver += rows[0]?.started_over ?? 0;
        await client.query(VACUUM);
        total.differences.push(...(await takeDifferences(client)));
        report?.(total);
        if (total.differences.length >= DIFFERENCES_MAX) return;
      }
    } finally {
      await client.end();
    }
  });
  return total;
}

/** Only lines that one of the two has alone. */
async function takeDifferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{
    batch: string;
    requests: string;
    together: string;
    one_by_one: string;
  }>(`with taken as (delete from posting_test.difference returning *)
    select batch, requests::text, together, one_by_one from taken order by batch`);
  return rows.map(({ batch, requests, together, one_by_one: oneByOne }) => {
    const [ours, theirs] = [together.split('\n'), oneByOne.split('\n')];
    const alone = (lines: string[], others: string[]) =>
      lines.filter((line) => !others.includes(line)).map((line) => `      ${line}`);
    return [
      `batch ${batch}: ${requests}`,
      '    only together:',
      ...alone(ours, theirs),
      '    only one by one:',
      ...alone(theirs, ours),
    ].join('\n');
  });
}
