//! `holdfast recover`: shows and ends the recovery of a database that was restored or failed over.
import { createReadStream, existsSync } from 'node:fs';
import type { Recovery, RecoveryFinding } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { countText, timeText } from '../terminal/words.ts';
import { type AcknowledgedWrite, batchesOf, nameOf, readWrites } from './acknowledged-writes.ts';
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

const LOST: readonly Column<AcknowledgedWrite>[] = [
  { head: 'TIME', of: ({ at }) => timeText(at) },
  { head: 'REQUEST', of: ({ method, path }) => `${method} ${path}` },
  { head: 'AMOUNT', of: amountOf, isRight: true },
  { head: 'RESOURCE', of: ({ resourceId }) => resourceId ?? null },
  { head: 'BY', of: ({ actorId }) => actorId },
  { head: 'REQUEST ID', of: ({ requestId }) => requestId },
];

function amountOf(each: {
  readonly amount?: string | null | undefined;
  readonly currency?: string | null | undefined;
}): string | null {
  return each.amount ? [each.amount, each.currency].filter(Boolean).join(' ') : null;
}

/** A clock of another machine may differ. */
const EARLIER_MS = 60_000;

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

function logCommand(world: ProgramWorld, recover: Command): void {
  const log = recover
    .command('log <file...>')
    .description('find acknowledged writes in the logs of API servers that the database has lost');
  does(world, log, async (run, _, ...files) => {
    const { recovery } = run.master();
    const { lostFrom } = await recovery.get();
    const since = lostFrom === null ? 0 : Date.parse(lostFrom) - EARLIER_MS;
    const lost: AcknowledgedWrite[] = [];
    let checked = 0;
    for (const file of files) {
      if (!existsSync(file)) throw usageFault(`${file} is no file`);
      const writes = readWrites(createReadStream(file), since);
      for await (const batch of batchesOf(writes)) {
        const result = await recovery.checkWrites({ writes: [...batch] });
        const names = new Set(result.lost.map(nameOf));
        lost.push(...batch.filter((write) => names.has(nameOf(write))));
        checked += result.checked;
        run.terminal.progress.show(`${countText(checked, 'write')} checked`);
      }
    }
    run.terminal.progress.clear();
    run.terminal.show({ checked, lost }, () => [
      ...tableLines(lost, LOST, run.terminal.style),
      lost.length === 0
        ? run.terminal.style.green(`✓ ${countText(checked, 'write')} checked, none is lost`)
        : run.terminal.style.red(`✗ ${countText(checked, 'write')} checked, ${lost.length} lost`),
    ]);
    return lost.length === 0 ? 'ok' : 'failed';
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
