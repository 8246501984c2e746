//! `holdfast orders`: lists, reads and moves orders.
import { statesOf } from '@holdfast/contract/machine';
import { orderMachine } from '@holdfast/contract/machines/order-machine';
import type { Order } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { allowedActions, orderFields } from '../terminal/record-fields.ts';
import type { Column } from '../terminal/table.ts';
import { moneyText, timeText } from '../terminal/words.ts';
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
  const orders = program
    .command('orders')
    .description('create orders and move them through escrow');
  const list = orders
    .command('list')
    .description('list orders, newest first')
    .option(
      '--status <status>',
      `only orders with this status: ${statesOf(orderMachine).join(', ')}`,
    )
    .option('--buyer <usr>', 'only orders of this buyer')
    .option('--seller <usr>', 'only orders of this seller');
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
    .description('create an order; no money moves')
    .requiredOption('--buyer <usr>', 'user id of the buyer')
    .requiredOption('--seller <usr>', 'user id of the seller')
    .requiredOption('--amount <amount>', 'amount, such as 120.00')
    .requiredOption('--title <title>', 'title of the order')
    .option('--currency <currency>', 'currency: USD or USDC (default: USD)')
    .option(
      '--ref <ref>',
      'your reference; the same reference and data again return the existing order',
    )
    .option(
      '--milestone <ref:amount:title...>',
      'milestone, such as design:40.00:Design; repeat for several',
    );
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
  if (!ref || !amount) throw usageFault(`invalid milestone ${text}`, 'use ref:amount:title');
  return { ref, amount, title: title.join(':') || ref };
}

/** What takes an order forward and can still be given up. */
function stepCommands(world: ProgramWorld, orders: Command): void {
  const step = (name: string, summary: string, take: (run: Run, id: string) => Promise<Order>) =>
    does(world, orders.command(`${name} <id>`).description(summary), async (run, _, id) => {
      run.terminal.progress.show(`${name} ${id}`);
      showOrder(run, await take(run, id));
    });
  step('reserve', "reserve the buyer's funds", (run, id) => run.holdfast().orders.reserve(id));
  step('escrow', 'deploy the escrow contract', (run, id) => run.holdfast().orders.createEscrow(id));
  step('fund', 'fund the escrow contract from the reserved funds', (run, id) =>
    run.holdfast().orders.fundEscrow(id),
  );
  step(
    'checkout',
    'reserve the funds, then deploy and fund the escrow contract; resumes from the current status',
    (run, id) => run.holdfast().orders.checkout(id, { signal: run.signal }),
  );
  const complete = orders
    .command('complete <id> <milestone>')
    .description('mark a milestone as completed');
  does(world, complete, async (run, _, id, ref) =>
    showOrder(run, await run.holdfast().milestones.complete(id, ref)),
  );
  const dispute = orders
    .command('dispute <id>')
    .description('open a dispute; no money moves')
    .requiredOption('--by <party>', 'who opens the dispute: BUYER or SELLER')
    .requiredOption('--reason <reason>', 'reason: NOT_DELIVERED, QUALITY_ISSUE or OTHER');
  does<{ by: 'BUYER' | 'SELLER'; reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER' }>(
    world,
    dispute,
    async (run, { by: openedBy, reason }, orderId) => {
      const opened = await run.holdfast().orders.openDispute(orderId, { openedBy, reason });
      if (run.terminal.isJson) return run.terminal.printJson(opened);
      run.terminal.print(`${opened.id}  ${opened.status}`);
      showOrder(run, opened.order);
    },
  );
}

/** What ends an order for good. */
function endCommands(world: ProgramWorld, orders: Command): void {
  const end = (
    name: string,
    summary: string,
    /** For the confirmation: what the action does to an order. */
    whatOf: (id: string) => string,
    act: (run: Run, id: string, reason: string | undefined) => Promise<Order>,
  ) => {
    const command = orders
      .command(`${name} <id>`)
      .description(`${summary} (requires --yes)`)
      .option('--reason <reason>', 'reason, stored with the order')
      .option('--yes', 'confirm: cannot be undone');
    does<Reasoned>(world, command, async (run, options, id) => {
      needsYes(options, `${whatOf(id)} cannot be undone`);
      run.terminal.progress.show(`${name} ${id}`);
      showOrder(run, await act(run, id, options.reason));
    });
  };
  end(
    'release',
    'pay the seller from escrow',
    (id) => `releasing ${id} pays the seller and`,
    (run, id, reason) => run.holdfast().orders.release(id, { reason }),
  );
  end(
    'refund',
    'refund the buyer from escrow',
    (id) => `refunding ${id} returns the money to the buyer and`,
    (run, id, reason) =>
      run.holdfast().orders.refund(id, { reason: reason ?? 'Refunded manually' }),
  );
  end(
    'cancel',
    'cancel an order that has no escrow yet',
    (id) => `canceling ${id}`,
    (run, id, reason) => run.holdfast().orders.cancel(id, { reason }),
  );
}

function showOrder(run: Run, order: Order): void {
  const milestones = order.milestones.map(
    ({ ref, status, amount, title }) =>
      ['milestone', `${ref}  ${moneyText(amount, order.currency)}  ${status}  ${title}`] as const,
  );
  const allowed = ['actions', allowedActions(order).join(', ')] as const;
  showRecord(run, order, [...orderFields(order), ...milestones, allowed]);
}
