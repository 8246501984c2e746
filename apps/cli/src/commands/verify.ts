//! `holdfast verify`: proves the books and the audit chains, through the API or from the database.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BalanceVerification, Solvency, User } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { type Entry, entryOf, NODE_FLAG } from '../entries.ts';
import type { ExitName } from '../exit-codes.ts';
import { paintStatus } from '../terminal/style.ts';
import { countText, timeText } from '../terminal/words.ts';
import { does, type GlobalOptions, type ProgramWorld, type Run } from './run.ts';

interface BooksOptions {
  readonly database?: string | true;
  readonly users: string;
}

export function verifyCommand(world: ProgramWorld, program: Command): void {
  const verify = program.command('verify').description('prove the books or the audit chains');
  const books = verify
    .command('books')
    .description('what is owed against what is there; with --database every entry, by SQL')
    .option('--database [url]', 'read the database itself; DATABASE_URL when no URL is given')
    .option('--users <count>', "how many users' addresses are compared through the API", '25');
  does<BooksOptions>(world, books, async (run, options) => {
    if (options.database === undefined) return booksByApi(run, Number(options.users));
    const url = databaseOf(run, options.database);
    return runEntry(run, 'verify-books', ['--database', url, ...jsonFlag(options)]);
  });
  const audit = verify
    .command('audit')
    .description('every audit chain in the database, link by link')
    .option('--database [url]', 'DATABASE_URL when no URL is given')
    .option('--anchors <file>', 'heads that were kept elsewhere');
  does<{ database?: string | true; anchors?: string }>(world, audit, async (run, options) => {
    const { anchors } = options;
    const url = databaseOf(run, options.database ?? true);
    const args = ['--database', url, ...(anchors === undefined ? [] : ['--anchors', anchors])];
    return runEntry(run, 'verify-audit', [...args, ...jsonFlag(options)]);
  });
}

const jsonFlag = ({ json }: GlobalOptions) => (json ? ['--json'] : []);

/** As an operator logs in: whoever checks everything must see everything. */
function databaseOf(run: Run, given: string | true): string {
  if (given !== true) return given;
  const { settings } = run.place();
  const url = settings['HOLDFAST_MIGRATION_DATABASE_URL'] ?? settings['DATABASE_URL'];
  if (url) return url;
  throw usageFault('no database is named', 'give --database URL, or set DATABASE_URL');
}

/** A program of its own, which shares no code with what it proves. Its exit codes become ours. */
function runEntry(run: Run, entry: Entry, args: readonly string[]): Promise<ExitName> {
  const child = spawn(process.execPath, [NODE_FLAG, fileURLToPath(entryOf(entry)), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    signal: run.signal,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      resolve(code === 0 ? 'ok' : code === 1 ? 'failed' : 'unreachable'),
    );
  });
}

interface Compared {
  readonly user: User;
  readonly found: BalanceVerification;
}

async function booksByApi(run: Run, most: number): Promise<ExitName> {
  const { terminal } = run;
  const holdfast = run.holdfast();
  const solvency = await holdfast.solvency.get();
  const users = await holdfast.users.list({ limit: Math.min(100, most) }).toArray(most);
  const differing: Compared[] = [];
  for (const [at, user] of users.entries()) {
    terminal.progress.show(`${at + 1} of ${users.length}: ${user.externalUserId}`);
    if (user.ledgerAddress === null) continue;
    const found = await holdfast.balances.verify(user.id);
    if (!found.isValid) differing.push({ user, found });
  }
  terminal.progress.clear();
  const isGood = differing.length === 0 && solvency.status !== 'BREACH';
  if (terminal.isJson) {
    const differences = differing.map(({ found }) => found);
    terminal.sayJson({ ok: isGood, solvency, users: users.length, differences });
  } else tell(run, solvency, users.length, differing);
  return isGood ? 'ok' : 'failed';
}

function tell(run: Run, solvency: Solvency, users: number, differing: readonly Compared[]): void {
  const { terminal } = run;
  const { style } = terminal;
  const at = timeText(solvency.takenAt) ?? 'not read yet';
  const mark = solvency.status === 'BREACH' ? style.red('✗') : style.green('✓');
  terminal.say(`${mark} solvency ${paintStatus(style, solvency.status)}  ${style.dim(at)}`);
  if (solvency.payoutsPaused)
    terminal.say(style.yellow(`  payouts are paused: ${solvency.pauseReason}`));
  for (const { asset, owed, users: held, escrow } of solvency.marketplace ?? [])
    terminal.say(style.dim(`  ${asset}: ${owed} owed (${held} to users, ${escrow} in escrow)`));
  for (const { user, found } of differing)
    terminal.say(
      `${style.red('✗')} ${user.id} ${user.externalUserId}: books ${found.offChainBalance.total}, ` +
        `address ${found.onChainBalance.balance} ${found.onChainBalance.asset}`,
    );
  if (differing.length === 0)
    terminal.say(
      `${style.green('✓')} ${countText(users, 'user')}: books and addresses agree, or transfers under way explain it`,
    );
  terminal.note(style.dim('  with --database, every entry, hold, event and chain is checked'));
}
