//! A valid call to every endpoint that the console uses beside the resources themselves.
import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { LAB_SAMPLES } from '@holdfast/contract/enums';
import type { NotificationId } from '@holdfast/kernel/ids';
import { openOperation } from '../../engine/operation.ts';
import { insertMember } from '../../members/account/member.ts';
import { resumePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { transact } from '../../platform/database/transact.ts';
import { callFor, matchEvent, parkEvent, storeEvent } from '../../webhooks/incoming/inbox.ts';
import { type EscrowWorld, escrowOrderIn } from '../escrows.ts';
import { orderIn } from '../orders.ts';
import { owingUser } from '../topups.ts';
import { createdBy, payeeWith } from '../withdrawals.ts';
import type { Market } from '../world.ts';
import type { Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

const REASON = { reason: 'a person requested it' };
const SPLIT = { decision: 'SPLIT', releaseAmount: '80.00', refundAmount: '20.00' };
/** A fault that affects no other test. */
const FAULT = { provider: 'payment', operation: 'payin.cancel', kind: 'slow', times: 1 };

/** By operation. */
export const CONSOLE_BODIES: Readonly<Record<string, () => Record<string, unknown>>> = {
  retryOperation: () => REASON,
  freezeUser: () => REASON,
  unfreezeUser: () => REASON,
  revealUser: () => REASON,
  writeOffDebt: () => ({ amount: '45.00', currency: 'USD', ...REASON }),
  revealWithdrawal: () => REASON,
  rerunNotification: () => REASON,
  createDisputeNote: () => ({ text: 'The courier has a signature.' }),
  previewResolution: () => SPLIT,
  createDisputeEvidence: () => ({ party: 'SELLER', statement: 'It was whole when it left.' }),
  advanceLabClock: () => ({ seconds: 1 }),
  armLabFault: () => FAULT,
  runLabScenario: () => ({ name: 'doubled-webhooks' }),
  seedLab: () => ({ sample: 'order-reserved', count: 1 }),
};

/** The ids in the path of such an endpoint; undefined where it is not one. */
export async function consoleIds(
  { id, path }: Pick<Endpoint, 'id' | 'path'>,
  context: ScenarioContext,
): Promise<string | undefined> {
  if (path.startsWith('/inbox')) return aNotification(context);
  if (path.startsWith('/ledger/accounts')) return `user.${await aPayer(context)}.USD`;
  if (path.startsWith('/ledger/entries')) return anEntry(context);
  if (id === 'unfreezeUser') return aFrozenUser(context);
  if (id === 'createPasswordReset') return aMember(context);
  if (id === 'writeOffDebt') return owingUser(context.world, context.market);
  if (id === 'revealWithdrawal') return aWithdrawal(context);
  if (id === 'previewResolution')
    return (await escrowOrderIn(context.world, context.market, 'UNDER_REVIEW')).disputeId;
  return undefined;
}

/** A signed notification that matches no record, and belongs to the marketplace. */
export async function aNotification({ world, market }: ScenarioContext): Promise<NotificationId> {
  const { app } = world;
  const { id: orderId } = await orderIn(world, market, 'ORDER_CREATED');
  const { id, ...key } = await unmatchedNotification({ world });
  const own = { marketplace: market.call.actor.marketplace };
  await transact(app, callFor(own), async (tx) => {
    await matchEvent(tx, key, orderId);
    await parkEvent(tx, key, 'the network does not show it');
  });
  return id;
}

/** A notification whose owner is unknown: visible to the platform only. */
export async function unmatchedNotification({ world }: Pick<ScenarioContext, 'world'>) {
  const key = { provider: 'escrow-provider', eventId: randomUUID() } as const;
  const body = JSON.stringify({ type: 'escrow.funded', event_id: key.eventId, data: {} });
  await storeEvent(world.app, { ...key, type: 'escrow.funded', body, requestId: randomUUID() });
  const [row] = await world.rows<{ id: NotificationId }>(
    'select id from inbox where provider_event_id = $1',
    [key.eventId],
  );
  if (row === undefined) throw new Error('what was stored is there');
  return { id: row.id, ...key };
}

async function aPayer({ market }: ScenarioContext): Promise<string> {
  const userId = await market.user();
  await market.send('POST', `/users/${userId}/balance/credit`, { body: { amount: '50.00' } });
  return userId;
}

async function anEntry(context: ScenarioContext): Promise<string> {
  const path = `/ledger/accounts/user.${await aPayer(context)}.USD/entries`;
  const { json } = await context.market.send('GET', path);
  return json.data.data[0].id as string;
}

async function aFrozenUser({ market }: ScenarioContext): Promise<string> {
  const userId = await market.user();
  await market.send('POST', `/users/${userId}/freeze`, { body: REASON });
  return userId;
}

/** A member of the marketplace itself, which need not be the one of Surface B. */
async function aMember({ world, market }: ScenarioContext): Promise<string> {
  const userId = await market.user();
  const member = { userId, email: `${userId}@example.test`, name: 'Ada', passwordHash: 'none' };
  await transact(world.app, market.call, (tx) => insertMember(tx, member));
  return userId;
}

/** Works while payouts are paused, too, as some test may have left them. */
async function aWithdrawal({ world, market }: ScenarioContext): Promise<string> {
  await transact(world.app, market.call, (tx) => resumePayouts(tx, 'for a test', 'master'));
  return createdBy(world, market, await payeeWith(world, market));
}

export async function anOperation({ world, market }: ScenarioContext): Promise<string> {
  const { id: resourceId } = await orderIn(world, market, 'ORDER_CREATED');
  const wanted = { kind: 'try-order', resourceType: 'Order', resourceId, plan: {} } as const;
  return (await transact(world.app, market.call, (tx) => openOperation(tx, wanted))).id;
}

export function consoleScenarios(
  here: () => ScenarioContext,
): Readonly<Record<string, readonly Scenario[]>> {
  const plain: Scenario = async () => ({});
  const withQuery =
    (query: string): Scenario =>
    async () => ({ query });
  const withBody =
    (id: string): Scenario =>
    async () => ({ body: CONSOLE_BODIES[id]?.() });
  const on =
    (id: string, find: (context: ScenarioContext) => Promise<string>): Scenario =>
    async () => ({ ids: { id: await find(here()) }, body: CONSOLE_BODIES[id]?.() });
  const user = ({ market }: ScenarioContext) => market.user();
  const named = (path: string) => async (context: ScenarioContext) =>
    (await consoleIds({ id: '', path }, context)) ?? '';
  const disputed = async ({ world, market }: ScenarioContext) =>
    (await escrowOrderIn(world, market, 'UNDER_REVIEW')).disputeId;
  return {
    search: [withQuery('?q=ord_')],
    getHomeInsights: [plain],
    listOperations: [plain],
    retryOperation: [on('retryOperation', anOperation)],
    getLedgerChart: [plain],
    listLedgerAccounts: [plain],
    getLedgerAccount: [on('', named('/ledger/accounts'))],
    listLedgerAccountEntries: [on('', named('/ledger/accounts'))],
    listLedgerEntries: [plain],
    getLedgerEntry: [on('', named('/ledger/entries'))],
    getOrderDetail: [
      on('', async ({ world, market }) => (await escrowOrderIn(world, market, 'IN_PROGRESS')).id),
    ],
    listDisputeNotes: [on('', disputed)],
    createDisputeNote: [on('createDisputeNote', disputed)],
    previewResolution: [on('previewResolution', disputed)],
    listDisputeEvidence: [on('', disputed)],
    createDisputeEvidence: [on('createDisputeEvidence', disputed)],
    freezeUser: [on('freezeUser', user)],
    unfreezeUser: [on('unfreezeUser', aFrozenUser)],
    createPasswordReset: [on('createPasswordReset', aMember)],
    listDebts: [on('', user)],
    writeOffDebt: [on('writeOffDebt', ({ world, market }) => owingUser(world, market))],
    revealUser: [on('revealUser', user)],
    revealWithdrawal: [on('revealWithdrawal', aWithdrawal)],
    listNotifications: [plain],
    getNotification: [on('', aNotification)],
    rerunNotification: [on('rerunNotification', aNotification)],
    listRequestLog: [plain],
    listIdempotencyKeys: [withQuery(`?key=${randomUUID()}`)],
    getSystem: [plain],
    getLab: [plain],
    advanceLabClock: [withBody('advanceLabClock')],
    armLabFault: [withBody('armLabFault')],
    clearLabFaults: [plain],
    runLabScenario: [withBody('runLabScenario')],
    seedLab: LAB_SAMPLES.map((sample) => async () => {
      // The first needs a pooled wallet; the others need the wallets of their users.
      await here().world.runWorker();
      return { body: { sample, count: 1 } };
    }),
  };
}
