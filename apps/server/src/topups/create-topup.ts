//! Asks for a top-up: POST /topups. The provider makes a pay-in under our id, with a pay page.
import { refuse } from '@holdfast/contract/errors';
import { canMove } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/topup-machine';
import type { TopupId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Config } from '../config.ts';
import { driveRequest, type Requester } from '../engine/drive-request.ts';
import { type Operation, openOperation } from '../engine/operation.ts';
import { type SagaRun, saga } from '../engine/saga.ts';
import type { Call } from '../platform/call.ts';
import type { Log } from '../platform/log.ts';
import { emit } from '../platform/outbox.ts';
import type { Transactor, Tx } from '../platform/transact.ts';
import { done, type Outcome, type Refused, unknown } from '../providers/outcome.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { findUser } from '../users/user.ts';
import { followRecord } from './by-record.ts';
import { getTopup } from './get-topup.ts';
import { CREATE_TOPUP } from './operation-kinds.ts';
import { type Sighting, sightingOfRecord } from './sighting.ts';
import { insertTopup, lockTopup, type Topup, type TopupTerms } from './topup.ts';
import { endLooks, scheduleLook } from './topup-look.ts';
import { fail } from './topup-moves.ts';
import { readTopupWish, type TopupWish } from './topup-wish.ts';

export interface TopupRequester extends Requester {
  readonly config: Config;
  readonly payments: PaymentProvider | undefined;
}

/** What a worker needs to ask the provider for anything. */
export interface TopupWorker extends Transactor {
  readonly payments: PaymentProvider | undefined;
}

interface CreatePlan {
  readonly topupId: TopupId;
  readonly amountMinor: string;
  readonly description: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export async function createTopup(
  app: TopupRequester,
  call: Call,
  wish: TopupWish,
): Promise<Topup> {
  const terms = readTopupWish(app.config, wish, app.clock.now());
  const publicUrl = publicUrlOf(app);
  return driveRequest(
    app,
    call,
    (tx) => requestTopup(tx, terms, publicUrl),
    ({ resourceId }) => getTopup(app, call, resourceId as TopupId),
  );
}

/** Development listens where its payers are; production says where. */
function publicUrlOf({ config, payments }: TopupRequester): string {
  if (payments === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  const { HOLDFAST_PUBLIC_URL: url, HOLDFAST_HOST: host, HOLDFAST_PORT: port } = config;
  return url ?? `http://${host}:${port}`;
}

/** Long before the provider answers, should its answer be lost with the process that waits. */
const FIRST_LOOK_MS = 15_000;
/** The provider takes no longer one. */
const DESCRIPTION_MAX = 250;

async function requestTopup(tx: Tx, terms: TopupTerms, publicUrl: string): Promise<Operation> {
  const { id: topupId, userId, amount, currency, description } = terms;
  const user = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
  const { status } = user;
  if (status !== 'ACTIVE') refuse('USER_NOT_ACTIVE', { userId, status });
  await insertTopup(tx, terms);
  await scheduleLook(tx, topupId, FIRST_LOOK_MS);
  const asked = { userId, amount: amount.text, currency };
  await emit(tx, 'topup.created', topupId, asked);
  const after = { status: topupMachine.initial, ...asked };
  await audit(tx, { action: 'TOPUP_CREATED', resourceId: topupId, after });
  const callback = `${publicUrl}/api/v1/topups/${topupId}/callback`;
  const plan: CreatePlan = {
    topupId,
    amountMinor: String(amount.minor),
    description: (description ?? `Top-up ${topupId}`).slice(0, DESCRIPTION_MAX),
    returnUrl: callback,
    cancelUrl: `${callback}?from=cancel`,
  };
  const about = { resourceType: 'TopUp', resourceId: topupId } as const;
  return openOperation(tx, { kind: CREATE_TOPUP, ...about, plan });
}

export const createTopupSaga = saga(
  CREATE_TOPUP,
  async (run: SagaRun<TopupWorker>, plan: CreatePlan) => {
    const { topupId } = plan;
    const made = await run.provider('create', {}, () => makePayin(run.app, plan));
    if (made.kind === 'refused')
      return run.last('refused', (tx) => creationRefused(run.app, tx, topupId, made));
    return run.last('created', async (tx) => {
      const topup = await lockTopup(tx, topupId);
      const { status } = await followRecord(run.app, tx, topup, made.value);
      return { status };
    });
  },
);

/** The adapter looks our code up before it takes any answer for a no, or sends it again. */
async function makePayin(
  { payments }: TopupWorker,
  { topupId: code, amountMinor, ...page }: CreatePlan,
): Promise<Outcome<Sighting>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const made = await payments.createPayin({ code, amountMinor: BigInt(amountMinor), ...page });
  return made.kind === 'done' ? done(sightingOfRecord(made.value)) : made;
}

/** Definitely not made: there is nothing to look for. */
async function creationRefused(
  { log }: { readonly log: Log },
  tx: Tx,
  topupId: TopupId,
  { code, reason }: Refused,
): Promise<{ readonly status: string }> {
  const topup = await lockTopup(tx, topupId);
  log.warn({ topupId, code, reason }, 'fail creating payin');
  if (!canMove(topupMachine, topup.status, 'fail')) return { status: topup.status };
  const { status } = await fail(tx, topup, { reason, errorCode: code });
  await endLooks(tx, topupId);
  return { status };
}
