//! `holdfast topups` and `holdfast withdrawals`: money in and money out.
import { statesOf } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import type { Holdfast, Topup, Withdrawal } from '@holdfast/sdk';
import type { Command } from 'commander';
import { topupFields, withdrawalFields } from '../terminal/record-fields.ts';
import type { Column } from '../terminal/table.ts';
import { timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { getCommand, listCommand, showRecord, statusColumn } from './show.ts';

type Payment = Topup | Withdrawal;

const paymentColumns = <T extends Payment>(): Column<T>[] => [
  { head: 'ID', of: ({ id }) => id },
  statusColumn<T>(),
  { head: 'AMOUNT', of: ({ amount, currency }) => `${amount} ${currency}`, isRight: true },
  { head: 'USER', of: ({ userId }) => userId },
  { head: 'CREATED', of: ({ createdAt }) => timeText(createdAt) },
];

const TOPUPS: readonly Column<Topup>[] = paymentColumns<Topup>();
const WITHDRAWALS: readonly Column<Withdrawal>[] = [
  ...paymentColumns<Withdrawal>(),
  { head: 'TO', of: ({ destination }) => `${destination.type} ${destination.ref}` },
];

interface Filters<T extends Payment> {
  readonly status?: T['status'];
  readonly user?: string;
}

function paymentFilters(list: Command, noun: string, statuses: readonly string[]): Command {
  return list
    .option('--status <status>', `only ${noun} with this status: ${statuses.join(', ')}`)
    .option('--user <usr>', `only ${noun} of this user`);
}

interface NewPayment {
  readonly user: string;
  readonly amount: string;
  readonly currency?: Topup['currency'];
}

export function topupsCommand(world: ProgramWorld, program: Command): void {
  const topups = program.command('topups').description('create and track top-ups');
  const list = paymentFilters(
    topups.command('list').description('list top-ups, newest first'),
    'top-ups',
    statesOf(topupMachine),
  );
  listCommand<Topup, Filters<Topup>>(world, list, TOPUPS, (run, wanted) => {
    const { status, user: userId, limit } = wanted;
    return run.holdfast().topups.list({ status, userId, limit });
  });
  getCommand(world, topups, 'show a top-up', (holdfast, id) => holdfast.topups.get(id), showTopup);
  const create = topups
    .command('create')
    .description('create a top-up; the user pays on the payment page')
    .requiredOption('--user <usr>', 'user id')
    .requiredOption('--amount <amount>', 'amount, such as 50.00')
    .option('--currency <currency>', 'currency: USD or USDC (default: USD)');
  does<NewPayment>(world, create, async (run, { user: userId, amount, currency }) =>
    showTopup(run, await run.holdfast().topups.create({ userId, amount, currency })),
  );
  const refresh = topups
    .command('refresh <id>')
    .description('fetch the current status from the payment provider');
  does(world, refresh, async (run, _, id) =>
    showTopup(run, await run.holdfast().topups.refresh(id)),
  );
  const cancel = topups
    .command('cancel <id>')
    .description('cancel an unpaid top-up (requires --yes)')
    .option('--reason <reason>', 'reason, stored with the top-up')
    .option('--yes', 'confirm: cannot be undone');
  does<{ reason?: string; yes?: boolean }>(world, cancel, async (run, options, id) => {
    needsYes(options, `canceling ${id} cannot be undone`);
    showTopup(run, await run.holdfast().topups.cancel(id, { reason: options.reason }));
  });
}

interface NewWithdrawal extends NewPayment {
  readonly currency: Withdrawal['currency'];
  readonly to: string;
  readonly type: Withdrawal['destination']['type'];
  readonly memo?: string;
}

export function withdrawalsCommand(world: ProgramWorld, program: Command): void {
  const withdrawals = program.command('withdrawals').description('create and pay out withdrawals');
  const list = paymentFilters(
    withdrawals.command('list').description('list withdrawals, newest first'),
    'withdrawals',
    statesOf(withdrawalMachine),
  );
  listCommand<Withdrawal, Filters<Withdrawal>>(world, list, WITHDRAWALS, (run, wanted) => {
    const { status, user: userId, limit } = wanted;
    return run.holdfast().withdrawals.list({ status, userId, limit });
  });
  const get = (holdfast: Holdfast, id: string) => holdfast.withdrawals.get(id);
  getCommand(world, withdrawals, 'show a withdrawal', get, showWithdrawal);
  const create = withdrawals
    .command('create')
    .description('create a withdrawal; reserves the amount, sends nothing')
    .requiredOption('--user <usr>', 'user id')
    .requiredOption('--amount <amount>', 'amount, such as 20.00')
    .requiredOption('--to <ref>', 'payment account email, bank account or Stellar address')
    .option('--type <type>', 'destination type: payment_account, bank or crypto', 'payment_account')
    .option('--currency <currency>', 'currency: USD, USDC or XLM', 'USD')
    .option('--memo <text>', 'memo for the receiving exchange (crypto only)');
  does<NewWithdrawal>(world, create, async (run, options) => {
    const { user: userId, amount, currency, type, to: ref, memo } = options;
    const destination = { type, ref, memo };
    const input = { userId, amount, currency, destination };
    showWithdrawal(run, await run.holdfast().withdrawals.create(input));
  });
  const commit = withdrawals
    .command('commit <id>')
    .description('send the payout of a withdrawal (requires --yes)')
    .option('--yes', 'confirm: moves money, cannot be undone');
  does<{ yes?: boolean }>(world, commit, async (run, options, id) => {
    needsYes(options, `committing ${id} sends the payout and cannot be undone`);
    run.terminal.progress.show(`committing ${id}`);
    showWithdrawal(run, await run.holdfast().withdrawals.commit(id));
  });
  const cancel = withdrawals
    .command('cancel <id>')
    .description('cancel a withdrawal that is not paid out yet (requires --yes)')
    .option('--reason <reason>', 'reason, stored with the withdrawal')
    .option('--yes', 'confirm: cannot be undone');
  does<{ reason?: string; yes?: boolean }>(world, cancel, async (run, options, id) => {
    needsYes(options, `canceling ${id} cannot be undone`);
    run.terminal.progress.show(`canceling ${id}`);
    showWithdrawal(run, await run.holdfast().withdrawals.cancel(id, { reason: options.reason }));
  });
  const refresh = withdrawals
    .command('refresh <id>')
    .description('fetch the current status from the payment provider');
  does(world, refresh, async (run, _, id) =>
    showWithdrawal(run, await run.holdfast().withdrawals.refresh(id)),
  );
}

function showTopup(run: Run, topup: Topup): void {
  showRecord(run, topup, topupFields(topup));
}

function showWithdrawal(run: Run, withdrawal: Withdrawal): void {
  showRecord(run, withdrawal, withdrawalFields(withdrawal));
}
