//! A right call to every endpoint that a console asks beside the resources themselves.
import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { LAB_STORIES } from '@holdfast/contract/words';
import type { NoticeId } from '@holdfast/kernel/ids';
import { openOperation } from '../engine/operation.ts';
import { matchEvent, parkEvent, placeCall, storeEvent } from '../inbox/provider-event.ts';
import { transact } from '../platform/transact.ts';
import { resumePayouts } from '../withdrawals/payouts-pause.ts';
import { dealIn, type EscrowWorld } from './escrows.ts';
import type { Scenario } from './order-scenarios.ts';
import { orderIn } from './orders.ts';
import { createdBy, payeeWith } from './withdrawals.ts';
import type { Market } from './world.ts';

interface Place {
  readonly world: EscrowWorld;
  readonly market: Market;
}

const REASON = { reason: 'a person asked for it' };
const SPLIT = { decision: 'SPLIT', releaseAmount: '80.00', refundAmount: '20.00' };
/** One that strikes nothing which other tests do. */
const FAULT = { provider: 'payment', operation: 'payin.cancel', kind: 'slow', times: 1 };

/** By operation. */
export const CONSOLE_BODIES: Readonly<Record<string, () => Record<string, unknown>>> = {
  askOperationNow: () => REASON,
  freezeUser: () => REASON,
  unfreezeUser: () => REASON,
  revealUser: () => REASON,
  revealWithdrawal: () => REASON,
  rerunNotice: () => REASON,
  createDisputeNote: () => ({ text: 'The courier has a signature.' }),
  previewResolution: () => SPLIT,
  createDisputeEvidence: () => ({ party: 'SELLER', statement: 'It was whole when it left.' }),
  advanceLabClock: () => ({ seconds: 1 }),
  armLabFault: () => FAULT,
  runLabScenario: () => ({ name: 'doubled-webhooks' }),
  seedLab: () => ({ story: 'order-reserved', count: 1 }),
};

/** What the path of such an endpoint names; undefined where it is not one. */
export async function consoleIds(
  { id, path }: Pick<Endpoint, 'id' | 'path'>,
  place: Place,
): Promise<string | undefined> {
  if (path.startsWith('/inbox')) return aNotice(place);
  if (path.startsWith('/ledger/accounts')) return `user.${await aPayer(place)}.USD`;
  if (path.startsWith('/ledger/entries')) return anEntry(place);
  if (id === 'unfreezeUser') return aFrozenUser(place);
  if (id === 'revealWithdrawal') return aWithdrawal(place);
  if (id === 'previewResolution')
    return (await dealIn(place.world, place.market, 'UNDER_REVIEW')).disputeId;
  return undefined;
}

/** A signed notice that fits nothing, and belongs to the marketplace. */
export async function aNotice({ world, market }: Place): Promise<NoticeId> {
  const { app } = world;
  const { id: orderId } = await orderIn(world, market, 'ORDER_CREATED');
  const { id, ...key } = await nobodysNotice({ world });
  const own = { marketplace: market.call.actor.marketplace };
  await transact(app, placeCall(own), async (tx) => {
    await matchEvent(tx, key, orderId);
    await parkEvent(tx, key, 'the network does not show it');
  });
  return id;
}

/** Whose it is has not been found out: for the platform's own eyes. */
export async function nobodysNotice({ world }: Pick<Place, 'world'>) {
  const key = { provider: 'escrow-provider', eventId: randomUUID() } as const;
  const body = JSON.stringify({ type: 'escrow.funded', event_id: key.eventId, data: {} });
  await storeEvent(world.app, { ...key, type: 'escrow.funded', body, requestId: randomUUID() });
  const [row] = await world.rows<{ id: NoticeId }>(
    'select id from inbox where provider_event_id = $1',
    [key.eventId],
  );
  if (row === undefined) throw new Error('what was stored is there');
  return { id: row.id, ...key };
}

async function aPayer({ market }: Place): Promise<string> {
  const userId = await market.user();
  await market.send('POST', `/users/${userId}/balance/credit`, { body: { amount: '50.00' } });
  return userId;
}

async function anEntry(place: Place): Promise<string> {
  const path = `/ledger/accounts/user.${await aPayer(place)}.USD/entries`;
  const { json } = await place.market.send('GET', path);
  return json.data.data[0].id as string;
}

async function aFrozenUser({ market }: Place): Promise<string> {
  const userId = await market.user();
  await market.send('POST', `/users/${userId}/freeze`, { body: REASON });
  return userId;
}

/** Also while payouts are paused, as some test may have left them. */
async function aWithdrawal({ world, market }: Place): Promise<string> {
  await transact(world.app, market.call, (tx) => resumePayouts(tx, 'for a test', 'master'));
  return createdBy(world, market, await payeeWith(world, market));
}

export async function anOperation({ world, market }: Place): Promise<string> {
  const { id: resourceId } = await orderIn(world, market, 'ORDER_CREATED');
  const wanted = { kind: 'try-order', resourceType: 'Order', resourceId, plan: {} } as const;
  return (await transact(world.app, market.call, (tx) => openOperation(tx, wanted))).id;
}

export function consoleScenarios(here: () => Place): Readonly<Record<string, readonly Scenario[]>> {
  const plain: Scenario = async () => ({});
  const asked =
    (query: string): Scenario =>
    async () => ({ query });
  const withBody =
    (id: string): Scenario =>
    async () => ({ body: CONSOLE_BODIES[id]?.() });
  const on =
    (id: string, find: (place: Place) => Promise<string>): Scenario =>
    async () => ({ ids: { id: await find(here()) }, body: CONSOLE_BODIES[id]?.() });
  const user = ({ market }: Place) => market.user();
  const named = (path: string) => async (place: Place) =>
    (await consoleIds({ id: '', path }, place)) ?? '';
  const disputed = async ({ world, market }: Place) =>
    (await dealIn(world, market, 'UNDER_REVIEW')).disputeId;
  return {
    search: [asked('?q=ord_')],
    getHomeInsights: [plain],
    listOperations: [plain],
    askOperationNow: [on('askOperationNow', anOperation)],
    getLedgerChart: [plain],
    listLedgerAccounts: [plain],
    getLedgerAccount: [on('', named('/ledger/accounts'))],
    listLedgerAccountEntries: [on('', named('/ledger/accounts'))],
    listLedgerEntries: [plain],
    getLedgerEntry: [on('', named('/ledger/entries'))],
    getOrderDetail: [
      on('', async ({ world, market }) => (await dealIn(world, market, 'IN_PROGRESS')).id),
    ],
    listDisputeNotes: [on('', disputed)],
    createDisputeNote: [on('createDisputeNote', disputed)],
    previewResolution: [on('previewResolution', disputed)],
    listDisputeEvidence: [on('', disputed)],
    createDisputeEvidence: [on('createDisputeEvidence', disputed)],
    freezeUser: [on('freezeUser', user)],
    unfreezeUser: [on('unfreezeUser', aFrozenUser)],
    revealUser: [on('revealUser', user)],
    revealWithdrawal: [on('revealWithdrawal', aWithdrawal)],
    listNotices: [plain],
    getNotice: [on('', aNotice)],
    rerunNotice: [on('rerunNotice', aNotice)],
    listRequestLog: [plain],
    listIdempotencyKeys: [asked(`?key=${randomUUID()}`)],
    getSystem: [plain],
    getLab: [plain],
    advanceLabClock: [withBody('advanceLabClock')],
    armLabFault: [withBody('armLabFault')],
    clearLabFaults: [plain],
    runLabScenario: [withBody('runLabScenario')],
    seedLab: LAB_STORIES.map((story) => async () => {
      // The first needs a wallet that lies ready, the others that its people have theirs.
      await here().world.runWorker();
      return { body: { story, count: 1 } };
    }),
  };
}
