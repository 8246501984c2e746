//! `holdfast disputes`: lists, assigns and decides.
import type { Dispute, Holdfast, ResolveDisputeInput } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import type { Column } from '../terminal/table.ts';
import { moneyText, timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { getCommand, listCommand, showRecord, statusColumn } from './show.ts';

const COLUMNS: readonly Column<Dispute>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'ORDER', of: ({ orderId }) => orderId },
  { head: 'OPENED BY', of: ({ openedBy }) => openedBy },
  { head: 'REASON', of: ({ reason }) => reason },
  { head: 'AGENT', of: ({ assignedTo }) => assignedTo },
  { head: 'DECISION', of: ({ resolutionDecision }) => resolutionDecision },
  { head: 'OPENED', of: ({ createdAt }) => timeText(createdAt) },
];

interface Decided {
  readonly decision: 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT';
  readonly release?: string;
  readonly refund?: string;
  readonly note?: string;
  readonly yes?: boolean;
}

export function disputesCommand(world: ProgramWorld, program: Command): void {
  const disputes = program.command('disputes').description('list, assign and resolve disputes');
  const list = disputes
    .command('list')
    .description('list disputes, newest first')
    .option('--status <status>', 'only disputes with this status: OPEN, UNDER_REVIEW or RESOLVED');
  type Filters = { status?: Dispute['status'] };
  listCommand<Dispute, Filters>(world, list, COLUMNS, (run, { status, limit }) =>
    run.holdfast().disputes.list({ status, limit }),
  );
  const get = (holdfast: Holdfast, id: string) => holdfast.disputes.get(id);
  getCommand(world, disputes, 'show a dispute', get, showDispute);
  const assign = disputes
    .command('assign <id> <agent>')
    .description('assign an open dispute to an agent');
  does(world, assign, async (run, _, id, agent) =>
    showDispute(run, await run.holdfast().disputes.assign(id, { assignedTo: agent })),
  );
  const resolve = disputes
    .command('resolve <id>')
    .description('resolve a dispute and pay out the escrow as decided (requires --yes)')
    .requiredOption('--decision <decision>', 'FULL_RELEASE, FULL_REFUND or SPLIT')
    .option('--release <amount>', 'amount paid to the seller (SPLIT only)')
    .option('--refund <amount>', 'amount refunded to the buyer (SPLIT only)')
    .option('--note <text>', 'note stored with the decision')
    .option('--yes', 'confirm: moves money, cannot be undone');
  does<Decided>(world, resolve, async (run, options, id) => {
    const input = readDecision(options);
    const what = `resolving ${id} as ${input.decision} pays out the escrow`;
    needsYes(options, `${what} and cannot be undone`);
    run.terminal.progress.show(`resolving ${id}`);
    await showDispute(run, await run.holdfast().disputes.resolve(id, input));
  });
}

function readDecision({ decision, release, refund, note }: Decided): ResolveDisputeInput {
  if (decision !== 'SPLIT') {
    if (release === undefined && refund === undefined) return { decision, note };
    throw usageFault(`${decision} takes no amounts`, 'use --release and --refund with SPLIT only');
  }
  if (release === undefined || refund === undefined)
    throw usageFault(
      'SPLIT requires --release and --refund',
      'the two amounts must add up to the order amount',
    );
  return { decision, releaseAmount: release, refundAmount: refund, note };
}

/** The currency is the order's; it is read only to print amounts. */
async function showDispute(run: Run, dispute: Dispute): Promise<void> {
  const { orderId, releaseAmount, refundAmount } = dispute;
  const hasAmounts = (releaseAmount ?? refundAmount) !== null && !run.terminal.isJson;
  const currency = hasAmounts ? (await run.holdfast().orders.get(orderId)).currency : '';
  showRecord(run, dispute, [
    ['order', orderId],
    ['opened by', dispute.openedBy],
    ['reason', dispute.reason],
    ['evidence', dispute.evidence?.join('\n')],
    ['agent', dispute.assignedTo],
    ['decision', dispute.resolutionDecision],
    ['to seller', releaseAmount && moneyText(releaseAmount, currency)],
    ['to buyer', refundAmount && moneyText(refundAmount, currency)],
    ['note', dispute.decisionNote],
    ['opened', timeText(dispute.createdAt)],
    ['resolved', timeText(dispute.resolvedAt)],
  ]);
}
