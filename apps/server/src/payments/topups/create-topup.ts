//! Creates a top-up: POST /topups. The provider creates a pay-in under our id, with a payment page.
import { refuse } from '@holdfast/contract/errors';
import { canMove } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import type { TopupId } from '@holdfast/kernel/ids';
import { readTerms } from '../../access/marketplaces/terms.ts';
import { findUser } from '../../accounts/users/user.ts';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, openOperation } from '../../engine/operation.ts';
import { type SagaRun, saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Transactor, Tx } from '../../platform/database/transact.ts';
import type { Log } from '../../platform/process/log.ts';
import { done, type Outcome, type Refused, unknown } from '../../providers/outcome.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { applyRecord } from './by-record.ts';
import { CREATE_TOPUP } from './operation-kinds.ts';
import { observationOfRecord, type PayinObservation } from './payin-observation.ts';
import { getTopup } from './read-topups.ts';
import { insertTopup, lockTopup, type Topup, type TopupTerms } from './topup.ts';
import { readTopupInput, type TopupInput } from './topup-input.ts';
import { fail } from './topup-moves.ts';
import { endPolling, schedulePoll } from './topup-poll.ts';

export interface TopupRequester extends Requester {
  readonly config: Config;
  readonly payments: PaymentProvider | undefined;
}

/** Everything that a worker needs to call the provider. */
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
  input: TopupInput,
): Promise<Topup> {
  const terms = readTopupInput(app.config, input, app.clock.now());
  const publicUrl = publicUrlOf(app);
  return executeRequest(
    app,
    call,
    (tx) => requestTopup(tx, terms, publicUrl),
    ({ resourceId }) => getTopup(app, call, resourceId as TopupId),
  );
}

/** Development defaults to the server's own address; production configures its public URL. */
function publicUrlOf({ config, payments }: TopupRequester): string {
  if (payments === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  const { HOLDFAST_PUBLIC_URL: url, HOLDFAST_HOST: host, HOLDFAST_PORT: port } = config;
  return url ?? `http://${host}:${port}`;
}

/**
 * A fallback: it finds the pay-in if the provider's reply is lost with the process that waits for
 * it.
 */
const FIRST_POLL_MS = 15_000;
/** The provider's own limit. */
const DESCRIPTION_MAX = 250;

async function requestTopup(tx: Tx, terms: TopupTerms, publicUrl: string): Promise<Operation> {
  const { id: topupId, userId, amount, currency, description } = terms;
  const user = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
  const { status } = user;
  if (status !== 'ACTIVE') refuse('USER_NOT_ACTIVE', { userId, status });
  const { payinFee } = await readTerms(tx);
  await insertTopup(tx, terms, payinFee);
  await schedulePoll(tx, topupId, FIRST_POLL_MS);
  const requested = { userId, amount: amount.text, currency };
  await emit(tx, 'topup.created', topupId, requested);
  const after = { status: topupMachine.initial, ...requested };
  await audit(tx, { action: 'TOPUP_CREATED', resourceId: topupId, after });
  const callback = `${publicUrl}/api/v1/topups/${topupId}/callback`;
  const plan: CreatePlan = {
    topupId,
    amountMinor: String(amount.minor),
    description: (description ?? `Top-up ${topupId} of ${userId}`).slice(0, DESCRIPTION_MAX),
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
    const created = await run.providerStep('create', { provider: 'payment_provider' }, () =>
      createPayin(run.app, plan),
    );
    if (created.kind === 'refused')
      return run.lastStep('refused', (tx) => creationRefused(run.app, tx, topupId, created));
    return run.lastStep('created', async (tx) => {
      const topup = await lockTopup(tx, topupId);
      const { status } = await applyRecord(run.app, tx, topup, created.value);
      return { status };
    });
  },
);

/** The adapter looks up our code before it treats any reply as a refusal, or sends again. */
async function createPayin(
  { payments }: TopupWorker,
  { topupId: code, amountMinor, ...page }: CreatePlan,
): Promise<Outcome<PayinObservation>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const created = await payments.createPayin({ code, amountMinor: BigInt(amountMinor), ...page });
  return created.kind === 'done' ? done(observationOfRecord(created.value)) : created;
}

/** The provider definitely created nothing, so polling ends. */
async function creationRefused(
  { log }: { readonly log: Log },
  tx: Tx,
  topupId: TopupId,
  { code, reason }: Refused,
): Promise<{ readonly status: string }> {
  const topup = await lockTopup(tx, topupId);
  log.warn({ topupId, code, reason }, 'pay-in creation refused');
  if (!canMove(topupMachine, topup.status, 'fail')) return { status: topup.status };
  const { status } = await fail(tx, topup, { reason, errorCode: code });
  await endPolling(tx, topupId);
  return { status };
}
