//! `npm run audit:books`: audits the books of a running service externally, in one snapshot.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { audit, type Line } from './audit.ts';
import { readHistory } from './history.ts';
import { readJournal } from './journal.ts';
import { readExternalState } from './read-external-state.ts';
import { lineText, summaryText } from './report.ts';

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
  const journal = sandbox === undefined ? undefined : await readJournal(sandbox);
  const external = sandbox && journal && (await readExternalState(sandbox, journal, isConverged));
  const startedAt = performance.now();
  const client = new Client({ connectionString: url, application_name: 'holdfast-auditor' });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const onLine = values.json ? undefined : (line: Line) => print(lineText(line));
    const lines = await audit(client, {
      history,
      journal,
      external: external || undefined,
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

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`the check of the books could not run: ${(error as Error).message}\n`);
  process.exitCode = EXIT.couldNotRun;
}
