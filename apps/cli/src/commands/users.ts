//! `holdfast users`: users, their balances and their statements.
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
  { head: 'EXTERNAL ID', of: ({ externalUserId }) => externalUserId },
  { head: 'EMAIL', of: ({ email }) => email },
  { head: 'TYPE', of: ({ type }) => type },
  { head: 'CREATED', of: ({ createdAt }) => timeText(createdAt) },
];

interface NewUser {
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
  const users = program.command('users').description('manage users, balances and statements');
  const list = users
    .command('list')
    .description('list users, newest first')
    .option(
      '--status <status>',
      'only users with this status: ACTIVE, SUSPENDED or PENDING_VERIFICATION',
    );
  listCommand<User, { status?: User['status'] }>(world, list, COLUMNS, (run, { status, limit }) =>
    run.holdfast().users.list({ status, limit }),
  );
  getCommand(world, users, 'show a user', (holdfast, id) => holdfast.users.get(id), showUser);
  const create = users
    .command('create <external-id>')
    .description(
      'create a user with your own id for the user; the same id and data again return that user',
    )
    .option('--email <email>', 'email, required to link a payment account')
    .option('--type <type>', 'user type: BUYER, SELLER or BOTH');
  does<NewUser>(world, create, async (run, { email, type }, externalUserId) =>
    showUser(run, await run.holdfast().users.create({ externalUserId, email, type })),
  );
  const link = users
    .command('link <id>')
    .description('link a payment account (an account at the payment provider)')
    .option('--email <email>', "email of the account (default: the user's email)");
  does<{ email?: string }>(world, link, async (run, { email }, id) =>
    showUser(run, await run.holdfast().users.linkPaymentAccount(id, { email })),
  );
  balanceCommands(world, users);
  walletCommands(world, users);
}

function balanceCommands(world: ProgramWorld, users: Command): void {
  const balance = users
    .command('balance <id>')
    .description('show the available, reserved and total balance')
    .option('--currency <currency>', 'currency: USD, USDC or XLM (default: USD)');
  does<{ currency?: Balance['currency'] }>(world, balance, async (run, { currency }, id) =>
    showBalance(run, await run.holdfast().balances.get(id, { currency })),
  );
  const adjust = (name: 'credit' | 'debit') => {
    const command = users
      .command(`${name} <id>`)
      .description(`${name} a balance manually (requires --yes)`)
      .requiredOption('--amount <amount>', 'amount, such as 50.00')
      .option('--currency <currency>', 'currency: USD, USDC or XLM (default: USD)')
      .option(
        '--reference <reference>',
        'your reference; reusing it does not post the amount twice',
      )
      .option('--description <text>', 'description, stored with the posting')
      .option('--yes', 'confirm: moves money');
    does<Adjustment>(world, command, async (run, options, id) => {
      needsYes(options, `${name}ing ${id} moves money`);
      const { amount, currency, reference, description } = options;
      const input = { amount, currency, reference, description };
      showBalance(run, await run.holdfast().balances[name](id, input));
    });
  };
  adjust('credit');
  adjust('debit');
  const verify = users
    .command('verify-balance <id>')
    .description("compare a user's balance in the books with the balance on the Stellar network");
  does(world, verify, async (run, _, id) => {
    const found = await run.holdfast().balances.verify(id);
    showVerification(run, found);
    return found.isValid ? 'ok' : 'failed';
  });
}

function showVerification({ terminal }: Run, found: BalanceVerification): void {
  const { offChainBalance: books, onChainBalance: address } = found;
  const inAsset = (amount: string | undefined) => amount && `${amount} ${address.asset}`;
  const { style } = terminal;
  terminal.show(found, () => [
    found.isValid ? style.green('✓ balances match') : style.red('✗ balances differ'),
    ...fieldLines(
      [
        ['books', moneyText(books.total, books.currency)],
        ['Stellar network', inAsset(address.balance)],
        ['difference', inAsset(found.difference)],
        ['in flight', inAsset(found.inFlight)],
        ['below one cent', inAsset(found.dust)],
      ],
      style,
    ),
  ]);
}

function walletCommands(world: ProgramWorld, users: Command): void {
  const wallet = users
    .command('wallet <id>')
    .description("show a user's address on the Stellar network and its balances");
  does(world, wallet, async (run, _, id) => {
    const found = await run.holdfast().wallets.get(id);
    if (run.terminal.isJson) return run.terminal.printJson(found);
    const held = found.balances.map(({ asset, balance }) => [asset, balance] as const);
    run.terminal.print(found.ledgerAddress, ...fieldLines(held, run.terminal.style));
  });
  const statement = users
    .command('statement <id>')
    .description('print a statement as CSV')
    .option(
      '--from <time>',
      'start of the period (inclusive), such as 2026-10-01 or 2026-10-01T00:00:00Z (default: the first entry)',
    )
    .option('--to <time>', 'end of the period (exclusive), such as 2026-11-01 (default: now)')
    .option('--currency <currency>', 'currency: USD, USDC or XLM (default: USD)');
  does<{ from?: string; to?: string; currency?: Balance['currency'] }>(
    world,
    statement,
    async (run, { from, to, currency }, id) => {
      const query = { from, to, currency };
      const { statements } = run.holdfast();
      if (run.terminal.isJson) return run.terminal.printJson(await statements.user(id, query));
      const response = await statements.userCsv(id, query);
      run.terminal.print((await response.text()).trimEnd());
    },
  );
}

function showUser(run: Run, user: User): void {
  showRecord(run, user, [
    ['external id', user.externalUserId],
    ['email', user.email],
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
