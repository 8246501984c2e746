//! `holdfast recover log`: finds acknowledged writes that a database has lost in the logs of its
//! API servers.
import { createReadStream, existsSync } from 'node:fs';
import type { Holdfast } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { countText, timeText } from '../terminal/words.ts';
import { type AcknowledgedWrite, batchesOf, readWrites } from './acknowledged-writes.ts';
import { does, type ProgramWorld, type Run } from './run.ts';

const LOST: readonly Column<AcknowledgedWrite>[] = [
  { head: 'TIME', of: ({ at }) => timeText(at) },
  { head: 'REQUEST', of: ({ method, path }) => `${method} ${path}` },
  { head: 'AMOUNT', of: amountOf, isRight: true },
  { head: 'RESOURCE', of: ({ resourceId }) => resourceId ?? null },
  { head: 'BY', of: ({ actorId }) => actorId },
  { head: 'REQUEST ID', of: ({ requestId }) => requestId },
];

export function amountOf(each: {
  readonly amount?: string | null | undefined;
  readonly currency?: string | null | undefined;
}): string | null {
  return each.amount ? [each.amount, each.currency].filter(Boolean).join(' ') : null;
}

/** A clock of another machine may differ. */
const EARLIER_MS = 60_000;

export function logCommand(world: ProgramWorld, recover: Command): void {
  const log = recover
    .command('log <file...>')
    .description('find acknowledged writes in the logs of API servers that the database has lost');
  does(world, log, async (run, _, ...files) => {
    const missing = files.find((file) => !existsSync(file));
    if (missing !== undefined) throw usageFault(`${missing} is no file`);
    const { recovery } = run.master();
    const { lostFrom } = await recovery.get();
    const since = lostFrom === null ? 0 : Date.parse(lostFrom) - EARLIER_MS;
    const found: Found = { checked: 0, unreadable: 0, lost: [] };
    for (const file of files) {
      const writes = readWrites(createReadStream(file), since, () => {
        found.unreadable += 1;
      });
      for await (const batch of batchesOf(writes)) await check(recovery, batch, found);
      run.terminal.progress.show(`${countText(found.checked, 'write')} checked`);
    }
    run.terminal.progress.clear();
    show(run, found);
    // Logs without a single write are rather the wrong ones than those of a quiet hour.
    const isGood = found.checked > 0 && found.unreadable + found.lost.length === 0;
    return isGood ? 'ok' : 'failed';
  });
}

interface Found {
  checked: number;
  /** Lines that have a write in a form that is not known. */
  unreadable: number;
  readonly lost: AcknowledgedWrite[];
}

async function check(
  recovery: Holdfast['recovery'],
  writes: readonly AcknowledgedWrite[],
  found: Found,
): Promise<void> {
  const { checked, lost } = await recovery.checkWrites({ writes: [...writes] });
  // After a restore, two writes may have the same number of a journal entry.
  const isLost = ({ requestId, writeId }: AcknowledgedWrite) =>
    lost.some((each) => each.requestId === requestId && each.writeId === writeId);
  found.checked += checked;
  found.lost.push(...writes.filter(isLost));
}

function show({ terminal }: Run, { checked, unreadable, lost }: Found): void {
  const { style } = terminal;
  const writes = countText(checked, 'write');
  const sum =
    checked === 0
      ? style.red('✗ 0 writes checked: these logs have none of that time, or not the level info')
      : lost.length === 0
        ? style.green(`✓ ${writes} checked, none is lost`)
        : style.red(`✗ ${writes} checked, ${lost.length} lost`);
  terminal.show({ checked, unreadable, lost }, () => [
    ...tableLines(lost, LOST, style),
    ...(unreadable === 0
      ? []
      : [style.red(`✗ ${countText(unreadable, 'line')} of writes could not be read`)]),
    sum,
  ]);
}
