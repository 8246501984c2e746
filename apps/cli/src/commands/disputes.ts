//! `holdfast disputes`: lists, assigns and decides.
import type { Dispute, Holdfast } from '@holdfast/sdk';
import type { Command } from 'commander';
import type { Column } from '../terminal/table.ts';
import { timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { getCommand, listCommand, showRecord, statusColumn } from './show.ts';

const COLUMNS: readonly Column<Dispute>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'ORDER', of: ({ orderId }) => orderId },
  { head: 'BY', of: ({ openedBy }) => openedBy },
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
  const disputes = program.command('disputes').description('disputes, from the agent’s side');
  const list = disputes
    .command('list')
    .description('list disputes, newest first')
    .option('--status <status>', 'OPEN, UNDER_REVIEW or RESOLVED');
  type Filters = { status?: Dispute['status'] };
  listCommand<Dispute, Filters>(world, list, COLUMNS, (run, { status, limit }) =>
    run.holdfast().disputes.list({ status, limit }),
  );
  const get = (holdfast: Holdfast, id: string) => holdfast.disputes.get(id);
  getCommand(world, disputes, 'show a dispute', get, showDispute);
  const assign = disputes
    .command('assign <id> <agent>')
    .description('give an open dispute to an agent');
  does(world, assign, async (run, _, id, agent) =>
    showDispute(run, await run.holdfast().disputes.assign(id, { assignedTo: agent })),
  );
  const resolve = disputes
    .command('resolve <id>')
    .description('decide a dispute and carry the decision out (--yes)')
    .requiredOption('--decision <decision>', 'FULL_RELEASE, FULL_REFUND or SPLIT')
    .option('--release <amount>', "the seller's part of a split")
    .option('--refund <amount>', "the buyer's part of a split")
    .option('--note <text>', 'kept with it')
    .option('--yes', 'it moves money for good, and is meant');
  does<Decided>(world, resolve, async (run, options, id) => {
    const { decision, release: releaseAmount, refund: refundAmount, note } = options;
    needsYes(options, `resolve ${id} as ${decision}: pays out of escrow`);
    run.terminal.progress.show(`resolve ${id}`);
    const input = { decision, releaseAmount, refundAmount, note };
    showDispute(run, await run.holdfast().disputes.resolve(id, input));
  });
}

function showDispute(run: Run, dispute: Dispute): void {
  showRecord(run, dispute, [
    ['order', dispute.orderId],
    ['opened by', dispute.openedBy],
    ['reason', dispute.reason],
    ['evidence', dispute.evidence?.join('\n')],
    ['agent', dispute.assignedTo],
    ['decision', dispute.resolutionDecision],
    ['seller gets', dispute.releaseAmount],
    ['buyer gets', dispute.refundAmount],
    ['note', dispute.decisionNote],
    ['opened', timeText(dispute.createdAt)],
    ['resolved', timeText(dispute.resolvedAt)],
  ]);
}
