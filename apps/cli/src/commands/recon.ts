//! `holdfast recon`: our books against the providers, and what was found to differ.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReconciliationException, ReconciliationRun } from '@holdfast/sdk';
import type { Command } from 'commander';
import { CommandFault } from '../command-fault.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { countText, timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { listCommand, showRecord, statusColumn } from './show.ts';

const RUNS: readonly Column<ReconciliationRun>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'COMPARED WITH', of: ({ providers }) => providers.join(', ') },
  { head: 'OPENED', of: ({ exceptions }) => countOf(exceptions?.opened), isRight: true },
  { head: 'SEEN AGAIN', of: ({ exceptions }) => countOf(exceptions?.seenAgain), isRight: true },
  { head: 'BEGUN', of: ({ createdAt }) => timeText(createdAt) },
];

const EXCEPTIONS: readonly Column<ReconciliationException>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'CAUSE', of: ({ cause }) => cause },
  { head: 'AMOUNT', of: ({ amount, currency }) => `${amount} ${currency}`, isRight: true },
  { head: 'OF', of: ({ resourceId }) => resourceId },
  { head: 'ACTIONS', of: ({ suggestedActions }) => suggestedActions.join(',') },
  { head: 'FOUND', of: ({ createdAt }) => timeText(createdAt) },
];

const countOf = (count: number | undefined) => (count === undefined ? null : String(count));

const LOOK_EVERY_MS = 500;
const RUN_MS_MAX = 300_000;

export function reconCommand(world: ProgramWorld, program: Command): void {
  const recon = program.command('recon').description('our books against the providers');
  const start = recon
    .command('run')
    .description('compare now, and wait for the result')
    .option('--with <provider>', 'payment_provider or ledger_network; both when absent');
  type Providers = ReconciliationRun['providers'];
  does<{ with?: Providers[number] }>(world, start, async (run, options) => {
    const { reconciliation } = run.holdfast();
    const providers = options.with === undefined ? undefined : [options.with];
    const begun = await reconciliation.createRun({ providers });
    const ended = await whenEnded(run, begun.id);
    showRun(run, ended);
    return (ended.exceptions?.opened ?? 0) + (ended.exceptions?.seenAgain ?? 0) > 0
      ? 'failed'
      : 'ok';
  });
  const list = recon.command('runs').description('list runs, newest first');
  listCommand(world, list, RUNS, (run, { limit }) =>
    run.holdfast().reconciliation.listRuns({ limit }),
  );
  const found = recon
    .command('exceptions')
    .description('what differs')
    .option('--status <status>', 'only those with this status', 'OPEN');
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
    .description('deal with an exception (--yes)')
    .requiredOption('--action <action>', 'one of its suggested actions')
    .requiredOption('--reason <reason>', 'kept with it')
    .option('--user <usr>', 'whom to credit')
    .option('--yes', 'it may post to the books, and is meant');
  does<Resolved>(world, resolve, async (run, options, id) => {
    const { action, reason, user: userId } = options;
    needsYes(options, `resolve ${id} by ${action}: may post to the books`);
    const input = { action, reason, userId };
    const done = await run.holdfast().reconciliation.resolveException(id, input);
    showRecord(run, done, [
      ['cause', done.cause],
      ['amount', `${done.amount} ${done.currency}`],
      ['by', done.resolution?.action],
    ]);
  });
}

async function whenEnded(run: Run, id: string): Promise<ReconciliationRun> {
  const { reconciliation } = run.holdfast();
  const deadline = performance.now() + RUN_MS_MAX;
  while (performance.now() < deadline) {
    const now = await reconciliation.getRun(id);
    if (now.endedAt !== null) return now;
    run.terminal.progress.show(`${id} compares`);
    await sleep(LOOK_EVERY_MS, undefined, { signal: run.signal });
  }
  throw new CommandFault(`${id} has not ended yet`, {
    exit: 'unknown',
    code: 'RUN_NOT_ENDED',
    cure: 'it goes on: holdfast recon runs',
  });
}

function showRun({ terminal }: Run, ended: ReconciliationRun): void {
  terminal.progress.clear();
  terminal.show(ended, () => runLines(ended, terminal.style));
}

type Totals = NonNullable<ReconciliationRun['totals']>[number];

const TOTALS: readonly Column<Totals>[] = [
  { head: 'COMPARED', of: ({ provider, currency }) => `${provider} ${currency}` },
  { head: 'MATCHED', of: ({ matched }) => String(matched.count), isRight: true },
  { head: 'DIFFERS', of: (row) => String(differingIn(row)), isRight: true },
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
      ? [style.green(`✓ ${ended.id}: both sides agree`)]
      : [
          style.red(`✗ ${ended.id}: ${countText(sum, 'exception')}, ${opened} of them new`),
          '  → holdfast recon exceptions',
        ]),
  ];
}
