//! `holdfast verify`: proves the books and the audit chains, through the API or from the database.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BalanceVerification, Solvency, User } from '@holdfast/sdk';
import type { Command } from 'commander';
import { COMMAND, type Entry, entryOf, NODE_FLAG } from '../entries.ts';
import type { ExitName } from '../exit-codes.ts';
import { paintStatus } from '../terminal/style.ts';
import { countText, timeText } from '../terminal/words.ts';
import { DATABASE_OPTION, databaseOf } from './database-option.ts';
import { does, type GlobalOptions, type ProgramWorld, type Run } from './run.ts';

interface BooksOptions {
  readonly database?: string | true;
  readonly users: string;
}

export function verifyCommand(world: ProgramWorld, program: Command): void {
  const verify = program.command('verify').description('verify the books or the audit log');
  const books = verify
    .command('books')
    .description(
      'compare amounts owed with amounts held; with --database, check every ledger entry',
    )
    .option(
      DATABASE_OPTION,
      'check the database directly (default URL: HOLDFAST_MIGRATION_DATABASE_URL or DATABASE_URL)',
    )
    .option('--users <count>', 'number of users to compare through the API', '25');
  does<BooksOptions>(world, books, async (run, options) => {
    if (options.database === undefined) return booksByApi(run, Number(options.users));
    const url = databaseOf(run, options.database);
    return runEntry(run, 'verify-books', ['--database', url, ...jsonFlag(options)]);
  });
  const audit = verify
    .command('audit')
    .description('verify the hash chains of the audit log')
    .option(
      DATABASE_OPTION,
      'URL of the database (default: HOLDFAST_MIGRATION_DATABASE_URL or DATABASE_URL)',
    )
    .option(
      '--anchors <file>',
      'also compare with the hashes in this file, saved from earlier runs of `holdfast verify audit --json`',
    );
  does<{ database?: string | true; anchors?: string }>(world, audit, async (run, options) => {
    const { anchors } = options;
    const url = databaseOf(run, options.database ?? true);
    const args = ['--database', url, ...(anchors === undefined ? [] : ['--anchors', anchors])];
    return runEntry(run, 'verify-audit', [...args, ...jsonFlag(options)]);
  });
}

const jsonFlag = ({ json }: GlobalOptions) => (json ? ['--json'] : []);

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
  let without = 0;
  for (const [at, user] of users.entries()) {
    terminal.progress.show(`${at + 1} of ${users.length}: ${user.externalUserId}`);
    if (user.ledgerAddress === null) {
      without += 1;
      continue;
    }
    const found = await holdfast.balances.verify(user.id);
    if (!found.isValid) differing.push({ user, found });
  }
  terminal.progress.clear();
  const isGood = differing.length === 0 && solvency.status !== 'BREACH';
  if (terminal.isJson) {
    const differences = differing.map(({ found }) => found);
    terminal.printJson({ ok: isGood, solvency, users: users.length, differences });
  } else printResult(run, solvency, { checked: users.length - without, without }, differing);
  return isGood ? 'ok' : 'failed';
}

function printResult(
  run: Run,
  solvency: Solvency,
  counts: { readonly checked: number; readonly without: number },
  differing: readonly Compared[],
): void {
  const { terminal } = run;
  const { style } = terminal;
  const at = timeText(solvency.takenAt) ?? 'not measured yet';
  const mark = solvency.status === 'BREACH' ? style.red('✗') : style.green('✓');
  terminal.print(`${mark} solvency ${paintStatus(style, solvency.status)}  ${style.dim(at)}`);
  if (solvency.payoutsPaused) {
    const reason = solvency.pauseReason === null ? '' : `: ${solvency.pauseReason}`;
    terminal.print(style.yellow(`  payouts are paused${reason}`));
  }
  for (const { asset, owed, users: held, escrow } of solvency.marketplace ?? [])
    terminal.print(style.dim(`  ${asset}: ${owed} owed (${held} to users, ${escrow} in escrow)`));
  for (const { user, found } of differing)
    terminal.print(
      `${style.red('✗')} ${user.id} ${user.externalUserId}: ` +
        `books ${found.offChainBalance.total} ${found.offChainBalance.currency}, ` +
        `Stellar network ${found.onChainBalance.balance} ${found.onChainBalance.asset}`,
    );
  const { checked, without } = counts;
  const all = countText(checked + without, 'user');
  if (differing.length > 0)
    terminal.print(
      `${style.red('✗')} ${differing.length} of ${countText(checked, 'user')} differ`,
      `  → find the cause with: ${COMMAND} recon run`,
    );
  else
    terminal.print(
      `${style.green('✓')} ${checked} of ${all} checked: balances in the books match the Stellar network (transfers in flight included)`,
    );
  if (without > 0)
    terminal.print(style.dim(`  not checked: ${countText(without, 'user')} without an address`));
  terminal.printStderr(
    terminal.stderrStyle.dim(
      '  Use --database to check every entry, reservation, event and audit chain',
    ),
  );
}
