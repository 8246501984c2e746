//! `holdfast debts`: what users owe, and writing it off.
import type { Currency, Debt, LedgerAccount } from '@holdfast/sdk';
import type { Command } from 'commander';
import { type Column, fieldLines } from '../terminal/table.ts';
import { moneyText, timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld } from './run.ts';
import { listCommand } from './show.ts';

const COLUMNS: readonly Column<LedgerAccount>[] = [
  { head: 'USER', of: ({ ownerId }) => ownerId },
  // A debt is an account below zero.
  { head: 'OWED', of: ({ total }) => total.replace('-', ''), isRight: true },
  { head: 'CURRENCY', of: ({ currency }) => currency },
  { head: 'CHANGED', of: ({ updatedAt }) => timeText(updatedAt) },
];

interface WriteOff {
  readonly amount: string;
  readonly currency: Currency;
  readonly reason: string;
  readonly yes?: boolean;
}

export function debtsCommand(world: ProgramWorld, program: Command): void {
  const debts = program.command('debts').description('show what users owe, and write it off');
  const list = debts
    .command('list')
    .description('list debts; 0.00 where a debt is repaid')
    .option('--user <id>', 'only debts of this user');
  listCommand<LedgerAccount, { user?: string }>(world, list, COLUMNS, (run, { user, limit }) =>
    run.holdfast().ledger.listAccounts({ kind: 'debt', ownerId: user, limit }),
  );
  const writeOff = debts
    .command('write-off <usr>')
    .description('write off what a user owes, in part or whole (requires --yes)')
    .requiredOption('--amount <amount>', 'amount, such as 45.00')
    .option('--currency <currency>', 'currency: USD, USDC or XLM', 'USD')
    .requiredOption('--reason <text>', 'why')
    .option('--yes', 'confirm: the marketplace bears the loss');
  does<WriteOff>(world, writeOff, async (run, options, userId) => {
    needsYes(options, `writing off a debt of ${userId} is a loss of the marketplace`);
    const { amount, currency, reason } = options;
    const debt: Debt = await run.holdfast().users.writeOffDebt(userId, {
      amount,
      currency,
      reason,
    });
    const { terminal } = run;
    terminal.show(debt, () => [
      debt.userId,
      ...fieldLines([['still owed', moneyText(debt.owed, debt.currency)]], terminal.style),
    ]);
  });
}
