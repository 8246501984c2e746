//! A valid and an invalid call to every endpoint of orders, escrows and disputes.
import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@holdfast/contract/errors';
import { type EscrowWorld, escrowOrderIn, linkedUser, milestonesOf } from '../escrows.ts';
import type { OrderOptions } from '../orders.ts';
import type { Market } from '../world.ts';

/** The one call under test; the calls that it needs have been sent before, under other ids. */
export interface Attempt {
  /** By their names in the path. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** With its question mark. */
  readonly query?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** The error code that is expected when the call should fail. */
  readonly refused?: ErrorCode;
  /** The provider refuses after the call has started: its events report the return too. */
  readonly isUndone?: true;
  /** Done before, so that the stored response is returned again. */
  readonly isRepeat?: true;
}

export type Scenario = () => Promise<Attempt>;

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

type State = Parameters<typeof escrowOrderIn>[2];

export function orderScenarios(
  here: () => ScenarioContext,
): Readonly<Record<string, readonly Scenario[]>> {
  const { on, onDispute, orderBody, refusedFunding } = builders(here);
  const plain: Scenario = async () => ({});
  const resolve = (body: object) => onDispute('UNDER_REVIEW', { body });
  const late = { refused: 'INVALID_STATE' } as const;
  const complaint = { orderId: 'any', openedBy: 'BUYER', reason: 'OTHER' };
  return {
    createOrder: [
      async () => ({ body: await orderBody() }),
      async () => {
        const body = await orderBody({ clientOrderRef: randomUUID() });
        await here().market.send('POST', '/orders', { body });
        return { body, isRepeat: true };
      },
    ],
    listOrders: [plain],
    getOrder: [on('ORDER_CREATED')],
    getOrderTimeline: [on('IN_PROGRESS')],
    reserveOrder: [
      on('ORDER_CREATED'),
      on('ORDER_CREATED', { refused: 'INSUFFICIENT_FUNDS' }, { funds: '99.99' }),
    ],
    cancelOrder: [on('ORDER_CREATED'), on('FUNDS_RESERVED'), on('ESCROW_FUNDING', late)],
    listMilestones: [on('ORDER_CREATED')],
    completeMilestone: [
      on('IN_PROGRESS', {}, { milestones: milestonesOf(1) }),
      on('ESCROW_FUNDING', late, { milestones: milestonesOf(1) }),
    ],
    createEscrow: [on('FUNDS_RESERVED'), on('ORDER_CREATED', late)],
    fundEscrow: [on('ESCROW_FUNDING'), on('FUNDS_RESERVED', late), refusedFunding],
    releaseOrder: [on('IN_PROGRESS'), on('ESCROW_FUNDING', late)],
    refundOrder: [
      on('IN_PROGRESS', { body: { reason: 'r' } }),
      on('DISPUTED', { body: { reason: 'r' }, ...late }),
    ],
    openDispute: [
      on('IN_PROGRESS', { body: complaint }),
      on('ESCROW_FUNDING', { body: complaint, ...late }),
    ],
    listDisputes: [plain],
    getDispute: [onDispute('DISPUTED')],
    assignDispute: [
      onDispute('DISPUTED', { body: { assignedTo: 'agent-1' } }),
      onDispute('UNDER_REVIEW', { body: { assignedTo: 'agent-2' }, ...late }),
    ],
    resolveDispute: [
      resolve({ decision: 'FULL_RELEASE' }),
      resolve({ decision: 'FULL_REFUND' }),
      resolve({ decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' }),
      onDispute('DISPUTED', { body: { decision: 'FULL_REFUND' }, ...late }),
    ],
    getOperation: [
      async () => {
        const { world, market } = here();
        const { id } = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
        const [row] = await world.rows<{ id: string }>(
          'select id from operation where resource_id = $1',
          [id],
        );
        return { ids: { id: row?.id ?? '' } };
      },
    ],
  };
}

/** Scenarios on orders and disputes in a given state. */
function builders(here: () => ScenarioContext) {
  /** On an order in this state; its path uses one of two names for it. */
  const on =
    (state: State, attempt: Attempt = {}, options: OrderOptions = {}): Scenario =>
    async () => {
      const { world, market } = here();
      const { id } = await escrowOrderIn(world, market, state, options);
      return { ids: { id, orderId: id, ref: 'm1' }, ...attempt };
    };
  const onDispute =
    (state: State, attempt: Attempt = {}): Scenario =>
    async () => {
      const { world, market } = here();
      const { disputeId } = await escrowOrderIn(world, market, state);
      return { ids: { id: disputeId }, ...attempt };
    };
  const orderBody = async (more: object = {}) => {
    const { world, market } = here();
    const buyerId = await linkedUser(world, market);
    const sellerId = await linkedUser(world, market);
    return { buyerId, sellerId, amount: '100.00', title: 'A table', ...more };
  };
  const refusedFunding = async () => {
    const undone = { refused: 'ESCROW_FUNDING_FAILED', isUndone: true } as const;
    const attempt = await on('ESCROW_FUNDING', undone)();
    await here().world.sandbox.arm('escrow', 'fund', 'reject');
    return attempt;
  };
  return { on, onDispute, orderBody, refusedFunding };
}
