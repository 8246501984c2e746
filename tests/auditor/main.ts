//! `npm run audit:books`: audits the books of a running service externally, in one snapshot.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { audit, type Line } from './audit.ts';
import type { ExternalState } from './external-state.ts';
import { readHistory } from './history.ts';
import { type Journal, readJournal } from './journal.ts';
import { readExternalState } from './read-external-state.ts';
import { lineText, summaryText } from './report.ts';

const TRIES_MAX = 60;
const TRY_AGAIN_MS = 500;
const EXIT = { clean: 0, broken: 1, couldNotRun: 2 };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      history: { type: 'string' },
      sandbox: { type: 'string' },
      converged: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { DATABASE_URL } = process.env;
  const url = values.database ?? DATABASE_URL;
  if (!url) throw new Error('no database URL: pass --database URL or set DATABASE_URL');
  const history = values.history === undefined ? undefined : readHistory(values.history);
  const { sandbox, converged: isConverged } = values;
  const client = new Client({ connectionString: url, application_name: 'holdfast-auditor' });
  await client.connect();
  try {
    const upstream = await openSnapshot(client, sandbox, isConverged);
    const startedAt = performance.now();
    const onLine = values.json ? undefined : (line: Line) => print(lineText(line));
    const lines = await audit(client, {
      history,
      ...upstream,
      isConverged,
      only: values.only?.split(','),
      onLine,
    });
    const summary = summaryText(lines, performance.now() - startedAt);
    const isClean = lines.every(({ broken }) => broken === 0);
    print(values.json ? JSON.stringify({ clean: isClean, summary, checks: lines }) : summary);
    return isClean ? EXIT.clean : EXIT.broken;
  } finally {
    await client.end();
  }
}

interface Upstream {
  readonly journal: Journal;
  readonly external: ExternalState;
}

async function readUpstream(sandbox: string, isConverged: boolean): Promise<Upstream> {
  const journal = await readJournal(sandbox);
  return { journal, external: await readExternalState(sandbox, journal, isConverged) };
}

/**
 * The database, the providers and the network, as of one moment: it reads again while a provider or
 * the network did anything in between. Otherwise, a payment could be recorded as sent that the
 * journal does not have yet.
 */
async function openSnapshot(
  client: Client,
  sandbox: string | undefined,
  isConverged: boolean,
): Promise<Upstream | undefined> {
  for (let tries = 1; ; tries += 1) {
    const read = sandbox === undefined ? undefined : await readUpstream(sandbox, isConverged);
    await client.query('begin isolation level repeatable read read only');
    // The snapshot is taken by the first query.
    await client.query('select 1');
    if (sandbox === undefined || read === undefined) return undefined;
    if ((await readJournal(sandbox)).length === read.journal.length) return read;
    await client.query('rollback');
    if (tries === TRIES_MAX)
      throw new Error(`providers or the network did something during each of ${tries} readings`);
    await sleep(TRY_AGAIN_MS);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`the check of the books could not run: ${(error as Error).message}\n`);
  process.exitCode = EXIT.couldNotRun;
}
