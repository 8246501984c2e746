//! A valid request to every endpoint: its body, and the ids in its path.
import { randomUUID } from 'node:crypto';
import { type Endpoint, pathParameters } from '@holdfast/contract/endpoint';
import type { TObject } from 'typebox';
import { type EscrowWorld, escrowOrderIn } from './escrows.ts';
import { orderIn } from './orders.ts';
import { anOperation, CONSOLE_BODIES, consoleIds } from './scenarios/console-scenarios.ts';
import { OPERATOR_BODIES, operatorIds } from './scenarios/operator-scenarios.ts';
import {
  anException,
  aRun,
  CAPITAL,
  paused,
  rewound,
  WRITES,
} from './scenarios/reconciliation-scenarios.ts';
import { topupIn } from './topups.ts';
import { anEndpoint, HOOK_URL } from './webhook-receiver.ts';
import { inputOf, payeeWith, withdrawalIn } from './withdrawals.ts';
import type { Market } from './world.ts';

type Body = Record<string, unknown>;
type Ids = Readonly<Record<string, string>>;

/** The caller, and the ids in the path. */
interface Caller {
  readonly world: EscrowWorld;
  readonly owner: Market;
  readonly ids: Ids;
}

const BODIES: Readonly<Record<string, (caller: Caller) => Body | Promise<Body>>> = {
  createApiKey: () => ({ name: 'wire', scopes: ['read'] }),
  createToken: () => ({}),
  createUser: () => ({ externalUserId: randomUUID() }),
  creditBalance: () => ({ amount: '1.00' }),
  debitBalance: () => ({ amount: '1.00' }),
  reserveBalance: () => ({ amount: '1.00' }),
  releaseBalance: () => ({ amount: '1.00' }),
  deductReserved: () => ({ amount: '1.00' }),
  cancelReservation: async ({ world, owner, ids }) => {
    const { id: orderId } = await orderIn(world, owner, 'ORDER_CREATED');
    const body = { amount: '1.00', orderId };
    await owner.send('POST', `/users/${ids['userId']}/balance/reserve`, { body });
    return { orderId };
  },
  createOrder: async ({ owner }) => ({
    buyerId: await owner.user(),
    sellerId: await owner.user(),
    amount: '100.00',
    title: 'A table',
  }),
  refundOrder: () => ({ reason: 'not needed any more' }),
  resolveDispute: () => ({ decision: 'FULL_REFUND' }),
  openDispute: () => ({ orderId: 'any', openedBy: 'BUYER', reason: 'OTHER' }),
  assignDispute: () => ({ assignedTo: 'agent-1' }),
  createWithdrawal: async ({ world, owner }) => ({ ...inputOf(await payeeWith(world, owner)) }),
  revokeApiKey: () => ({}),
  rotateApiKey: () => ({}),
  createMarketplace: () => ({ name: 'wire' }),
  setAdjustmentLimit: () => ({ currency: 'USD', limit: null }),
  setTreasuryShare: () => ({ asset: 'USDC', funded: null }),
  setTerms: () => ({ payinFee: 'MARKETPLACE', reason: 'as before' }),
  stopMarketplace: () => ({ level: 'PAYOUTS', reason: 'a doubt' }),
  liftStop: async ({ world, owner }) => {
    const body = { level: 'PAYOUTS', reason: 'a doubt' };
    await world.send('POST', `/marketplaces/${owner.id}/stop`, { key: world.masterKey, body });
    return body;
  },
  pausePayouts: () => ({ reason: 'a doubt' }),
  createTopup: async ({ owner }) => ({ userId: await owner.user(), amount: '50.00' }),
  receivePaymentWebhook: () => ({ eventId: randomUUID(), eventType: 'payin.created', data: {} }),
  receiveEscrowWebhook: () => ({ type: 'escrow.funded', event_id: randomUUID(), data: {} }),
  createReconciliationRun: () => ({ providers: ['payment_provider'] }),
  resolveException: () => ({ action: 'APPLY_AGAIN', reason: 'the watcher was off' }),
  recordCapital: () => CAPITAL,
  resumePayouts: ({ world, owner }) => paused({ world, market: owner }),
  checkWrites: () => WRITES,
  openDatabase: ({ world }) => rewound({ world }),
  createWebhookEndpoint: () => ({ url: HOOK_URL }),
  updateWebhookEndpoint: () => ({ description: 'another' }),
  rotateWebhookSecret: () => ({}),
  pauseWebhookEndpoint: () => ({}),
  replayWebhookEvents: () => ({ since: new Date().toISOString() }),
  linkPaymentAccount: () => ({ email: `${randomUUID()}@example.test` }),
  ...CONSOLE_BODIES,
  ...Object.fromEntries(
    Object.entries(OPERATOR_BODIES).map(([id, body]) => [
      id,
      ({ world, owner: market, ids }: Caller) => body({ world, market, ids }),
    ]),
  ),
};

/** Undefined where no body is needed. */
export async function rightBody({ id }: Endpoint, caller: Caller): Promise<Body | undefined> {
  return BODIES[id]?.(caller);
}

export function namesInQuery({ query }: Endpoint): boolean {
  return Object.hasOwn((query as TObject | undefined)?.properties ?? {}, 'marketplaceId');
}

/** The ids of a call, owned by the given marketplace and in a state in which the call is valid. */
export async function ownIds(world: EscrowWorld, endpoint: Endpoint, owner: Market): Promise<Ids> {
  const { path } = endpoint;
  if (namesInQuery(endpoint)) return { marketplaceId: owner.id };
  const [name] = pathParameters(path);
  if (name === undefined) return {};
  if (path.startsWith('/webhook-endpoints'))
    return { [name]: await anEndpoint(owner, /resume/.test(path)) };
  // A key that the call revokes or rotates is not used by any other test.
  if (/revoke|rotate/.test(path)) return { [name]: (await world.market()).keyId };
  if (path.startsWith('/auth') && !path.endsWith('/secret')) return { [name]: owner.keyId };
  if (path.startsWith('/marketplaces')) return { [name]: owner.id };
  const context = { world, market: owner };
  if (path.startsWith('/operations')) return { [name]: await anOperation(context) };
  const shown = (await operatorIds(endpoint, context)) ?? (await consoleIds(endpoint, context));
  if (shown !== undefined) return { [name]: shown };
  if (path.startsWith('/reconciliation/runs')) return { [name]: await aRun(context) };
  if (path.startsWith('/reconciliation')) return { [name]: await anException(context) };
  const far = PROVIDER_STATES[endpoint.id];
  if (far !== undefined) {
    const { id, disputeId } = await escrowOrderIn(world, owner, far);
    return { [name]: path.startsWith('/disputes') ? disputeId : id };
  }
  if (path.startsWith('/orders')) return { [name]: await anOrder(world, path, owner), ref: 'm1' };
  if (path.startsWith('/disputes'))
    return { [name]: (await orderIn(world, owner, 'DISPUTED')).disputeId ?? '' };
  if (path.startsWith('/topups'))
    return { [name]: (await topupIn(world, owner, 'TOPUP_AWAITING_USER_CONFIRMATION')).id };
  if (path.startsWith('/withdrawals'))
    return { [name]: (await withdrawalIn(world, owner, 'WITHDRAWAL_CREATED')).id };
  const user = await owner.user();
  if (/wallet|sync|verify/.test(path)) await world.runWorker();
  await owner.send('POST', `/users/${user}/balance/credit`, { body: { amount: '50.00' } });
  await owner.send('POST', `/users/${user}/balance/reserve`, { body: { amount: '20.00' } });
  return { [name]: user };
}

/** Calls to the providers need an order that the providers know. */
const PROVIDER_STATES: Readonly<Record<string, Parameters<typeof escrowOrderIn>[2]>> = {
  createEscrow: 'FUNDS_RESERVED',
  fundEscrow: 'ESCROW_FUNDING',
  releaseOrder: 'IN_PROGRESS',
  refundOrder: 'IN_PROGRESS',
  resolveDispute: 'UNDER_REVIEW',
};

/** The query that a call needs to be valid; mostly none. */
export function rightQuery({ id }: Endpoint): string {
  if (id === 'search') return '?q=ord_';
  return id === 'listIdempotencyKeys' ? `?key=${randomUUID()}` : '';
}

/** An unknown id of the same shape. */
export function unknownLike(id: string): string {
  return /^\d+$/.test(id) ? '1' : id.replace(/_[0-9a-z]{20,32}/, `_${'0'.repeat(26)}`);
}

/** Unknown ids of the right shape: for calls that authentication refuses. */
export function unknownIds({ path, params }: Endpoint): Ids {
  const { properties = {} } = (params ?? {}) as Partial<TObject>;
  return Object.fromEntries(
    pathParameters(path).map((name) => {
      const { pattern = '' } = (properties[name] ?? {}) as { pattern?: string };
      const prefix = /^\^(\w+)_\[/.exec(pattern)?.[1];
      return [name, prefix === undefined ? 'm1' : `${prefix}_${'0'.repeat(26)}`];
    }),
  );
}

async function anOrder(world: EscrowWorld, path: string, owner: Market): Promise<string> {
  const isUnderWay = /resolution|complete/.test(path);
  const milestones = [{ ref: 'm1', title: 'All', amount: '100.00' }];
  const state = isUnderWay ? 'IN_PROGRESS' : 'ORDER_CREATED';
  return (await orderIn(world, owner, state, { milestones })).id;
}
