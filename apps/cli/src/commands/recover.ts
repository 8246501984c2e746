//! `holdfast recover`: shows and ends the recovery of a database that was restored or failed over.
import type { Recovery, RecoveryFinding } from '@holdfast/sdk';
import type { Command } from 'commander';
import { type Column, tableLines } from '../terminal/table.ts';
import { countText, timeText } from '../terminal/words.ts';
import { amountOf, logCommand } from './recover-log.ts';
import { seedsCommand } from './recover-seeds.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { listCommand } from './show.ts';

type Step = Recovery['steps'][number];

const STEPS: readonly Column<Step>[] = [
  { head: 'STEP', of: ({ name }) => name },
  { head: 'FINISHED', of: ({ finishedAt }) => timeText(finishedAt) },
  { head: 'DETAIL', of: ({ detail }) => detail },
];

const FINDINGS: readonly Column<RecoveryFinding>[] = [
  { head: 'KIND', of: ({ kind }) => kind },
  { head: 'AMOUNT', of: amountOf, isRight: true },
  { head: 'MARKETPLACE', of: ({ marketplaceId }) => marketplaceId },
  { head: 'USER', of: ({ userId }) => userId },
  { head: 'RESOURCE', of: ({ resourceId }) => resourceId },
  { head: 'REFERENCE', of: ({ reference }) => reference },
  { head: 'DETAIL', of: ({ detail }) => detail },
];

export function recoverCommand(world: ProgramWorld, program: Command): void {
  const recover = program
    .command('recover')
    .description('recover a database that was restored or failed over (requires the master key)');
  const status = recover
    .command('status')
    .description('show what is closed, and what the recovery has done');
  does(world, status, async (run) => showRecovery(run, await run.master().recovery.get()));
  const findings = recover
    .command('findings')
    .description('list what happened without a record, and a person has to settle');
  listCommand(world, findings, FINDINGS, (run, { limit }) =>
    run.master().recovery.listFindings({ limit }),
  );
  logCommand(world, recover);
  seedsCommand(world, recover);
  const open = recover
    .command('open')
    .description('open the database, where fewer than two platform admins could (requires --yes)')
    .requiredOption('--reason <text>', 'why; recorded in the audit log')
    .option('--yes', 'confirm: payments are sent again');
  does<{ reason: string; yes?: boolean }>(world, open, async (run, options) => {
    needsYes(options, 'after that, payments are sent again');
    const { reason } = options;
    showRecovery(run, await run.master().recovery.openDatabase({ reason }));
  });
}

function showRecovery({ terminal }: Run, recovery: Recovery): void {
  const { status, reason, lostFrom, steps, findings, openRequested } = recovery;
  terminal.show(recovery, () => [
    `${status}: ${reason}`,
    ...(lostFrom === null ? [] : [`  writes since ${timeText(lostFrom)} may be lost`]),
    ...tableLines(steps, STEPS, terminal.style),
    ...(findings === 0 ? [] : [`${countText(findings, 'finding')} to settle`]),
    ...(openRequested === null
      ? []
      : [`${openRequested.requestedBy} has requested to open it: ${openRequested.reason}`]),
  ]);
}
