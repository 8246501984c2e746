//! `holdfast users`: people, their balances and their statements.
import type { Balance, BalanceVerification, User } from '@holdfast/sdk';
import type { Command } from 'commander';
import type { Column } from '../terminal/table.ts';
import { fieldLines } from '../terminal/table.ts';
import { moneyText, timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { getCommand, listCommand, showRecord, statusColumn } from './show.ts';

const COLUMNS: readonly Column<User>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'NAME', of: ({ externalUserId }) => externalUserId },
  { head: 'E-MAIL', of: ({ email }) => email },
  { head: 'TYPE', of: ({ type }) => type },
  { head: 'CREATED', of: ({ createdAt }) => timeText(createdAt) },
];

interface NewUser {
  readonly name: string;
  readonly email?: string;
  readonly type?: User['type'];
}

interface Adjustment {
  readonly amount: string;
  readonly currency?: Balance['currency'];
  readonly reference?: string;
  readonly description?: string;
  readonly yes?: boolean;
}

export function usersCommand(world: ProgramWorld, program: Command): void {
  const users = program.command('users').description('people, their balances and statements');
  const list = users
    .command('list')
    .description('list users, newest first')
    .option('--status <status>', 'only those with this status');
  listCommand<User, { status?: User['status'] }>(world, list, COLUMNS, (run, { status, limit }) =>
    run.holdfast().users.list({ status, limit }),
  );
  getCommand(world, users, 'show a user', (holdfast, id) => holdfast.users.get(id), showUser);
  const create = users
    .command('create <name>')
    .description('make a user; the same name again is the same user')
    .option('--email <email>', 'needed to link a payment account')
    .option('--type <type>', 'BUYER, SELLER or BOTH');
  does<NewUser>(world, create, async (run, { email, type }, externalUserId) =>
    showUser(run, await run.holdfast().users.create({ externalUserId, email, type })),
  );
  const link = users
    .command('link <id>')
    .description('link the account at the payment provider')
    .option('--email <email>', "the account's address; the user's own when absent");
  does<{ email?: string }>(world, link, async (run, { email }, id) =>
    showUser(run, await run.holdfast().users.linkPaymentAccount(id, { email })),
  );
  balanceCommands(world, users);
  walletCommands(world, users);
}

function balanceCommands(world: ProgramWorld, users: Command): void {
  const balance = users
    .command('balance <id>')
    .description('available, reserved and total')
    .option('--currency <currency>', 'USD, USDC or XLM');
  does<{ currency?: Balance['currency'] }>(world, balance, async (run, { currency }, id) =>
    showBalance(run, await run.holdfast().balances.get(id, { currency })),
  );
  const adjust = (name: 'credit' | 'debit', tells: string) => {
    const command = users
      .command(`${name} <id>`)
      .description(`${tells} (--yes)`)
      .requiredOption('--amount <amount>', 'such as 50.00')
      .option('--currency <currency>', 'USD, USDC or XLM')
      .option('--reference <reference>', 'happens once under the same reference')
      .option('--description <text>', 'kept with it')
      .option('--yes', 'it moves money, and is meant');
    does<Adjustment>(world, command, async (run, options, id) => {
      needsYes(options, `${name} ${id}: ${tells}`);
      const { amount, currency, reference, description } = options;
      const input = { amount, currency, reference, description };
      showBalance(run, await run.holdfast().balances[name](id, input));
    });
  };
  adjust('credit', 'gives money by hand');
  adjust('debit', 'takes money by hand');
  const verify = users.command('verify <id>').description('compare the books with the address');
  does(world, verify, async (run, _, id) => {
    const found = await run.holdfast().balances.verify(id);
    showVerification(run, found);
    return found.isValid ? 'ok' : 'failed';
  });
}

function showVerification({ terminal }: Run, found: BalanceVerification): void {
  const { offChainBalance: books, onChainBalance: address } = found;
  const { style } = terminal;
  terminal.show(found, () => [
    found.isValid ? style.green('✓ both sides agree') : style.red('✗ they differ'),
    ...fieldLines(
      [
        ['books', moneyText(books.total, books.currency)],
        ['address', `${address.balance} ${address.asset}`],
        ['difference', found.difference],
        ['in flight', found.inFlight],
        ['dust', found.dust],
      ],
      style,
    ),
  ]);
}

function walletCommands(world: ProgramWorld, users: Command): void {
  const wallet = users.command('wallet <id>').description('the address and what it holds');
  does(world, wallet, async (run, _, id) => {
    const found = await run.holdfast().wallets.get(id);
    if (run.terminal.isJson) return run.terminal.sayJson(found);
    const held = found.balances.map(({ asset, balance }) => [asset, balance] as const);
    run.terminal.say(found.ledgerAddress, ...fieldLines(held, run.terminal.style));
  });
  const statement = users
    .command('statement <id>')
    .description('what moved and why, as CSV')
    .option('--from <time>', 'a date or time')
    .option('--to <time>', 'a date or time')
    .option('--currency <currency>', 'USD, USDC or XLM');
  does<{ from?: string; to?: string; currency?: Balance['currency'] }>(
    world,
    statement,
    async (run, { from, to, currency }, id) => {
      const query = { from, to, currency };
      const { statements } = run.holdfast();
      if (run.terminal.isJson) return run.terminal.sayJson(await statements.user(id, query));
      const answer = await statements.userCsv(id, query);
      run.terminal.say((await answer.text()).trimEnd());
    },
  );
}

function showUser(run: Run, user: User): void {
  showRecord(run, user, [
    ['name', user.externalUserId],
    ['e-mail', user.email],
    ['type', user.type],
    ['payment account', user.paymentAccountUserId],
    ['address', user.ledgerAddress],
    ['created', timeText(user.createdAt)],
  ]);
}

function showBalance({ terminal }: Run, balance: Balance): void {
  const { available, reserved, total, currency } = balance;
  const fields = Object.entries({ available, reserved, total });
  const texts = fields.map(([name, amount]) => [name, moneyText(amount, currency)] as const);
  terminal.show(balance, () => fieldLines(texts, terminal.style));
}
