//! `holdfast orders`: lists, reads and moves orders.
import type { Order } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { allowedActions, orderFields } from '../terminal/record-fields.ts';
import type { Column } from '../terminal/table.ts';
import { timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run } from './run.ts';
import { getCommand, listCommand, showRecord, statusColumn } from './show.ts';

const COLUMNS: readonly Column<Order>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'AMOUNT', of: ({ amount, currency }) => `${amount} ${currency}`, isRight: true },
  { head: 'TITLE', of: ({ title }) => title },
  { head: 'CREATED', of: ({ createdAt }) => timeText(createdAt) },
  { head: 'REF', of: ({ clientOrderRef }) => clientOrderRef },
];

interface OrderFilters {
  readonly status?: Order['status'];
  readonly buyer?: string;
  readonly seller?: string;
}

interface NewOrder {
  readonly buyer: string;
  readonly seller: string;
  readonly amount: string;
  readonly currency?: Order['currency'];
  readonly title: string;
  readonly ref?: string;
  readonly milestone?: readonly string[];
}

interface Reasoned {
  readonly reason?: string;
  readonly yes?: boolean;
}

export function ordersCommand(world: ProgramWorld, program: Command): void {
  const orders = program.command('orders').description('orders, from reservation to release');
  const list = orders
    .command('list')
    .description('list orders, newest first')
    .option('--status <status>', 'only those in this state')
    .option('--buyer <usr>', 'only those of this buyer')
    .option('--seller <usr>', 'only those of this seller');
  listCommand<Order, OrderFilters>(world, list, COLUMNS, (run, wanted) => {
    const { status, buyer: buyerId, seller: sellerId, limit } = wanted;
    return run.holdfast().orders.list({ status, buyerId, sellerId, limit });
  });
  getCommand(world, orders, 'show an order', (holdfast, id) => holdfast.orders.get(id), showOrder);
  createCommand(world, orders);
  stepCommands(world, orders);
  endCommands(world, orders);
}

function createCommand(world: ProgramWorld, orders: Command): void {
  const create = orders
    .command('create')
    .description('agree on an order; no money moves')
    .requiredOption('--buyer <usr>', 'who pays')
    .requiredOption('--seller <usr>', 'who is paid')
    .requiredOption('--amount <amount>', 'such as 120.00')
    .requiredOption('--title <title>', 'what it is about')
    .option('--currency <currency>', 'USD or USDC')
    .option('--ref <ref>', 'your own name for it; the same again is the same order')
    .option('--milestone <ref:amount:title...>', 'a part of the work, in order');
  does<NewOrder>(world, create, async (run, options) => {
    const { buyer: buyerId, seller: sellerId, amount, currency, title, ref } = options;
    const order = await run.holdfast().orders.create({
      buyerId,
      sellerId,
      amount,
      title,
      currency,
      clientOrderRef: ref,
      ...(options.milestone && { milestones: options.milestone.map(readMilestone) }),
    });
    showOrder(run, order);
  });
}

function readMilestone(text: string) {
  const [ref, amount, ...title] = text.split(':');
  if (!ref || !amount) throw usageFault(`${text} is no milestone`, 'write it as ref:amount:title');
  return { ref, amount, title: title.join(':') || ref };
}

/** What takes an order forward and can still be given up. */
function stepCommands(world: ProgramWorld, orders: Command): void {
  const step = (name: string, tells: string, take: (run: Run, id: string) => Promise<Order>) =>
    does(world, orders.command(`${name} <id>`).description(tells), async (run, _, id) => {
      run.terminal.progress.show(`${name} ${id}`);
      showOrder(run, await take(run, id));
    });
  step('reserve', "set the buyer's money aside", (run, id) => run.holdfast().orders.reserve(id));
  step('escrow', 'deploy the escrow contract', (run, id) => run.holdfast().orders.createEscrow(id));
  step('fund', 'send the reserved money into the contract', (run, id) =>
    run.holdfast().orders.fundEscrow(id),
  );
  step('checkout', 'reserve, escrow and fund, from wherever it is', (run, id) =>
    run.holdfast().orders.checkout(id, { signal: run.signal }),
  );
  const complete = orders.command('complete <id> <ref>').description('complete a milestone');
  does(world, complete, async (run, _, id, ref) =>
    showOrder(run, await run.holdfast().milestones.complete(id, ref)),
  );
  const dispute = orders
    .command('dispute <id>')
    .description('dispute an order in progress; no money moves')
    .requiredOption('--by <party>', 'BUYER or SELLER')
    .requiredOption('--reason <reason>', 'NOT_DELIVERED, QUALITY_ISSUE or OTHER');
  does<{ by: 'BUYER' | 'SELLER'; reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER' }>(
    world,
    dispute,
    async (run, { by: openedBy, reason }, orderId) => {
      const opened = await run.holdfast().orders.openDispute(orderId, { openedBy, reason });
      if (run.terminal.isJson) return run.terminal.sayJson(opened);
      run.terminal.say(`${opened.id}  ${opened.status}`);
      showOrder(run, opened.order);
    },
  );
}

/** What ends an order for good. */
function endCommands(world: ProgramWorld, orders: Command): void {
  const end = (
    name: string,
    tells: string,
    act: (run: Run, id: string, reason: string | undefined) => Promise<Order>,
  ) => {
    const command = orders
      .command(`${name} <id>`)
      .description(`${tells} (--yes)`)
      .option('--reason <reason>', 'kept with it')
      .option('--yes', 'it cannot be taken back, and is meant');
    does<Reasoned>(world, command, async (run, options, id) => {
      needsYes(options, `${name} ${id}: ${tells}`);
      run.terminal.progress.show(`${name} ${id}`);
      showOrder(run, await act(run, id, options.reason));
    });
  };
  end('release', 'pays the seller out of escrow', (run, id, reason) =>
    run.holdfast().orders.release(id, { reason }),
  );
  end('refund', 'pays the buyer back out of escrow', (run, id, reason) =>
    run.holdfast().orders.refund(id, { reason: reason ?? 'refunded by hand' }),
  );
  end('cancel', 'gives the order up before its escrow', (run, id, reason) =>
    run.holdfast().orders.cancel(id, { reason }),
  );
}

function showOrder(run: Run, order: Order): void {
  const milestones = order.milestones.map(
    ({ ref, status, amount, title }) =>
      ['milestone', `${ref}  ${amount}  ${status}  ${title}`] as const,
  );
  const allowed = ['can now', allowedActions(order).join(', ')] as const;
  showRecord(run, order, [...orderFields(order), ...milestones, allowed]);
}
