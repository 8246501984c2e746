//! `holdfast recon`: compares the books with the providers, and lists and resolves exceptions.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReconciliationException, ReconciliationRun } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandFault } from '../command-fault.ts';
import { COMMAND } from '../entries.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { countText, timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { listCommand, showRecord, statusColumn } from './show.ts';

const RUNS: readonly Column<ReconciliationRun>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'COMPARED WITH', of: ({ providers }) => providers.join(', ') },
  { head: 'NEW EXCEPTIONS', of: ({ exceptions }) => countOf(exceptions?.opened), isRight: true },
  {
    head: 'STILL OPEN',
    of: ({ exceptions }) => countOf(exceptions?.seenAgain),
    isRight: true,
  },
  { head: 'STARTED', of: ({ createdAt }) => timeText(createdAt) },
];

const EXCEPTIONS: readonly Column<ReconciliationException>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'CAUSE', of: ({ cause }) => cause },
  { head: 'AMOUNT', of: ({ amount, currency }) => `${amount} ${currency}`, isRight: true },
  { head: 'RESOURCE', of: ({ resourceId }) => resourceId },
  { head: 'ACTIONS', of: ({ suggestedActions }) => suggestedActions.join(',') },
  { head: 'FOUND', of: ({ createdAt }) => timeText(createdAt) },
];

const countOf = (count: number | undefined) => (count === undefined ? null : String(count));

const POLL_INTERVAL_MS = 500;
const RUN_MS_MAX = 300_000;

export function reconCommand(world: ProgramWorld, program: Command): void {
  const recon = program
    .command('recon')
    .description('reconcile the books with the payment provider and the Stellar network');
  const start = recon
    .command('run')
    .description('run a reconciliation and wait for the result')
    .option(
      '--with <provider>',
      'compare only with payment_provider or ledger_network (default: both)',
    );
  type Providers = ReconciliationRun['providers'];
  does<{ with?: Providers[number] }>(world, start, async (run, options) => {
    const { reconciliation } = run.holdfast();
    const providers = options.with === undefined ? undefined : [options.with];
    const startedRun = await reconciliation.createRun({ providers });
    const ended = await whenEnded(run, startedRun.id);
    showRun(run, ended);
    return (ended.exceptions?.opened ?? 0) + (ended.exceptions?.seenAgain ?? 0) > 0
      ? 'failed'
      : 'ok';
  });
  const list = recon.command('runs').description('list reconciliation runs, newest first');
  listCommand(world, list, RUNS, (run, { limit }) =>
    run.holdfast().reconciliation.listRuns({ limit }),
  );
  const found = recon
    .command('exceptions')
    .description('list reconciliation exceptions (differences found by runs)')
    .option(
      '--status <status>',
      'only exceptions with this status: OPEN, RESOLVED or CLEARED',
      'OPEN',
    );
  type Filters = { status?: ReconciliationException['status'] };
  listCommand<ReconciliationException, Filters>(world, found, EXCEPTIONS, (run, wanted) => {
    const { status, limit } = wanted;
    return run.holdfast().reconciliation.listExceptions({ status, limit });
  });
  resolveCommand(world, recon);
}

interface Resolved {
  readonly action: ReconciliationException['suggestedActions'][number];
  readonly reason: string;
  readonly user?: string;
  readonly yes?: boolean;
}

function resolveCommand(world: ProgramWorld, recon: Command): void {
  const resolve = recon
    .command('resolve <id>')
    .description('resolve an exception (requires --yes)')
    .requiredOption(
      '--action <action>',
      'action to take: one of the actions that `holdfast recon exceptions` lists',
    )
    .requiredOption('--reason <reason>', 'reason, stored with the resolution')
    .option('--user <usr>', 'user to credit or charge (with CREDIT_USER or CHARGE_USER)')
    .option('--yes', 'confirm: may post to the books');
  does<Resolved>(world, resolve, async (run, options, id) => {
    const { action, reason, user: userId } = options;
    needsYes(options, `resolving ${id} with ${action} may post to the books`);
    const input = { action, reason, userId };
    const done = await run.holdfast().reconciliation.resolveException(id, input);
    showRecord(run, done, [
      ['cause', done.cause],
      ['amount', `${done.amount} ${done.currency}`],
      ['action', done.resolution?.action],
    ]);
  });
}

async function whenEnded(run: Run, id: string): Promise<ReconciliationRun> {
  const { reconciliation } = run.holdfast();
  const deadline = performance.now() + RUN_MS_MAX;
  while (performance.now() < deadline) {
    const now = await reconciliation.getRun(id);
    if (now.endedAt !== null) return now;
    run.terminal.progress.show(`running ${id}`);
    await sleep(POLL_INTERVAL_MS, undefined, { signal: run.signal });
  }
  throw new CommandFault(`${id} is still running after 5 minutes`, {
    exit: 'unknown',
    code: 'RUN_NOT_ENDED',
    fix: 'the run continues; check it with `holdfast recon runs`',
  });
}

function showRun({ terminal }: Run, ended: ReconciliationRun): void {
  terminal.progress.clear();
  terminal.show(ended, () => runLines(ended, terminal.style));
}

type Totals = NonNullable<ReconciliationRun['totals']>[number];

const TOTALS: readonly Column<Totals>[] = [
  { head: 'PROVIDER', of: ({ provider, currency }) => `${provider} ${currency}` },
  { head: 'MATCHED', of: ({ matched }) => String(matched.count), isRight: true },
  { head: 'DIFFERENCES', of: (row) => String(differingIn(row)), isRight: true },
  { head: 'IN FLIGHT', of: ({ inFlight }) => String(inFlight.count), isRight: true },
];

const differingIn = ({ mismatched, missingHere, missingThere }: Totals) =>
  mismatched.count + missingHere.count + missingThere.count;

function runLines(ended: ReconciliationRun, style: Style): string[] {
  const { opened = 0, seenAgain = 0 } = ended.exceptions ?? {};
  const sum = opened + seenAgain;
  return [
    ...tableLines(ended.totals ?? [], TOTALS, style),
    ...(sum === 0
      ? [style.green(`✓ ${ended.id}: no differences found`)]
      : [
          style.red(`✗ ${ended.id}: ${countText(sum, 'exception')}, ${opened} of them new`),
          `  → list them with: ${COMMAND} recon exceptions`,
        ]),
  ];
}
