//! `holdfast topups` and `holdfast withdrawals`: money in and money out.
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

function paymentFilters(list: Command): Command {
  return list
    .option('--status <status>', 'only those in this state')
    .option('--user <usr>', 'only those of this user');
}

interface NewPayment {
  readonly user: string;
  readonly amount: string;
  readonly currency?: Topup['currency'];
}

export function topupsCommand(world: ProgramWorld, program: Command): void {
  const topups = program.command('topups').description('money in through the payment provider');
  const list = paymentFilters(topups.command('list').description('list top-ups, newest first'));
  listCommand<Topup, Filters<Topup>>(world, list, TOPUPS, (run, wanted) => {
    const { status, user: userId, limit } = wanted;
    return run.holdfast().topups.list({ status, userId, limit });
  });
  getCommand(world, topups, 'show a top-up', (holdfast, id) => holdfast.topups.get(id), showTopup);
  const create = topups
    .command('create')
    .description('ask for a top-up; the user pays on its pay page')
    .requiredOption('--user <usr>', 'whose balance')
    .requiredOption('--amount <amount>', 'such as 50.00')
    .option('--currency <currency>', 'USD or USDC');
  does<NewPayment>(world, create, async (run, { user: userId, amount, currency }) =>
    showTopup(run, await run.holdfast().topups.create({ userId, amount, currency })),
  );
  const refresh = topups.command('refresh <id>').description('look it up at the provider');
  does(world, refresh, async (run, _, id) =>
    showTopup(run, await run.holdfast().topups.refresh(id)),
  );
  const cancel = topups
    .command('cancel <id>')
    .description('take back a top-up that nobody has paid (--yes)')
    .option('--reason <reason>', 'kept with it')
    .option('--yes', 'it cannot be taken back, and is meant');
  does<{ reason?: string; yes?: boolean }>(world, cancel, async (run, options, id) => {
    needsYes(options, `cancel ${id}: gives the top-up up`);
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
  const withdrawals = program.command('withdrawals').description('money out');
  const list = paymentFilters(withdrawals.command('list').description('list them, newest first'));
  listCommand<Withdrawal, Filters<Withdrawal>>(world, list, WITHDRAWALS, (run, wanted) => {
    const { status, user: userId, limit } = wanted;
    return run.holdfast().withdrawals.list({ status, userId, limit });
  });
  const get = (holdfast: Holdfast, id: string) => holdfast.withdrawals.get(id);
  getCommand(world, withdrawals, 'show a withdrawal', get, showWithdrawal);
  const create = withdrawals
    .command('create')
    .description('ask for a withdrawal; its money is held, nothing is sent')
    .requiredOption('--user <usr>', 'whose money')
    .requiredOption('--amount <amount>', 'such as 20.00')
    .requiredOption('--to <ref>', 'e-mail of the payment account, bank account or address')
    .option('--type <type>', 'payment_account, bank or crypto', 'payment_account')
    .option('--currency <currency>', 'USD, USDC or XLM', 'USD')
    .option('--memo <text>', 'for an exchange, with crypto');
  does<NewWithdrawal>(world, create, async (run, options) => {
    const { user: userId, amount, currency, type, to: ref, memo } = options;
    const destination = { type, ref, memo };
    const wish = { userId, amount, currency, destination };
    showWithdrawal(run, await run.holdfast().withdrawals.create(wish));
  });
  const commit = withdrawals
    .command('commit <id>')
    .description('confirm it and send the pay-out (--yes)')
    .option('--yes', 'it pays out for good, and is meant');
  does<{ yes?: boolean }>(world, commit, async (run, options, id) => {
    needsYes(options, `commit ${id}: pays out`);
    run.terminal.progress.show(`commit ${id}`);
    showWithdrawal(run, await run.holdfast().withdrawals.commit(id));
  });
  const refresh = withdrawals.command('refresh <id>').description('look the pay-out up');
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
