//! npm run audit:books: checks the books of a running service from outside, in one snapshot.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { audit, type Line } from './audit.ts';
import { readHistory } from './history.ts';
import { readJournal } from './journal.ts';
import { readOutside } from './read-outside.ts';
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
  if (!url) throw new Error('say which database: --database URL, or DATABASE_URL');
  const history = values.history === undefined ? undefined : readHistory(values.history);
  const { sandbox, converged: isConverged } = values;
  const journal = sandbox === undefined ? undefined : await readJournal(sandbox);
  const outside = sandbox && journal && (await readOutside(sandbox, journal, isConverged));
  const startedAt = performance.now();
  const client = new Client({ connectionString: url, application_name: 'holdfast-auditor' });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const tell = values.json ? undefined : (line: Line) => say(lineText(line));
    const lines = await audit(client, {
      history,
      journal,
      outside: outside || undefined,
      isConverged,
      only: values.only?.split(','),
      tell,
    });
    const summary = summaryText(lines, performance.now() - startedAt);
    const isClean = lines.every(({ broken }) => broken === 0);
    say(values.json ? JSON.stringify({ clean: isClean, summary, checks: lines }) : summary);
    return isClean ? EXIT.clean : EXIT.broken;
  } finally {
    await client.end();
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`the audit could not run: ${(error as Error).message}\n`);
  process.exitCode = EXIT.couldNotRun;
}
