//! The payment provider under /payment-provider/v2: the API of Airtm Enterprise V2.
//!
//! Two things are the sandbox's own: a payout may name `bankAccount: {ref}` in place of
//! `airtmUserEmail`, and withdrawals can be read back.
import type { FaultKind } from '../faults.ts';
import { applyFaultAfter, applyFaultBefore } from '../faults.ts';
import { servePaymentPage } from '../pages/payment-page.ts';
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import { balanceOf } from './balance.ts';
import { email } from './body.ts';
import { centsNumber } from './cents.ts';
import { PaymentRefusal } from './errors.ts';
import { admit } from './gate.ts';
import { listPage } from './listing.ts';
import { resumeWebhooks } from './notify.ts';
import {
  cancelPayin,
  checkOpen,
  createPayin,
  findPayin,
  findPayinByCode,
  readNewPayin,
} from './payins.ts';
import {
  CANCEL_PENDING_AFTER_DAYS,
  cancelPayout,
  checkCancel,
  checkCommit,
  commitPayout,
  createPayout,
  findPayout,
  findPayoutByCode,
  readNewPayout,
} from './payouts.ts';
import {
  PAYIN_MOVES,
  PAYOUT_MOVES,
  type Payin,
  type Payout,
  payinView,
  payoutEventViews,
  payoutView,
} from './records.ts';
import { runDue, startTimers } from './timers.ts';
import {
  createCryptoAccount,
  createWithdrawal,
  deposits,
  findWithdrawal,
  type Withdrawal,
  withdrawalView,
} from './treasury.ts';
import { stableId, userView } from './users.ts';

/** Undefined: a fault has dealt with the request already. */
type Reply = { readonly status: number; readonly body?: object } | undefined;
type Call = (exchange: Exchange) => Reply | Promise<Reply>;
type Route = readonly [method: string, path: string, call: Call];

const PREFIX = '/payment-provider/v2';
const FAULTS: readonly FaultKind[] = [
  'reject',
  'error-before',
  'error-after',
  'drop-before',
  'drop-after',
  'slow',
  'garbage',
];

export function servePayment(world: World): void {
  const routes = [
    ...enterpriseRoutes(world),
    ...payinRoutes(world),
    ...payoutRoutes(world),
    ...treasuryRoutes(world),
  ];
  for (const [method, path, call] of routes)
    world.router.on(method, `${PREFIX}${path}`, (exchange) => respond(world, exchange, call));
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    world.router.on(method, `${PREFIX}/.*`, (exchange) => respond(world, exchange, nowhere));
  servePaymentPage(world);
  resumeWebhooks(world);
  startTimers(world);
}

function enterpriseRoutes(world: World): Route[] {
  const me = {
    id: stableId('enterprise'),
    cancelPendingPayoutsAfterDays: CANCEL_PENDING_AFTER_DAYS,
    payoutRequireIdVerification: false,
  };
  const balance = () => {
    const { available, pending } = balanceOf(world.store);
    return ok({ available: centsNumber(available), pending: centsNumber(pending) });
  };
  return [
    ['GET', '/me', () => ok(me)],
    ['GET', '/me/balance', balance],
    ['GET', '/users/:email', ({ params }) => ok(userView(email(params['email'], 'email')))],
  ];
}

function payinRoutes(world: World): Route[] {
  const byId = ({ params }: Exchange) => get(findPayin(world, params['id'] ?? ''), '415031');
  const byCode = ({ params }: Exchange) =>
    get(findPayinByCode(world, params['code'] ?? ''), '415031');
  const create = (exchange: Exchange) => {
    const body = readNewPayin(world, exchange.body);
    const perform = () => ok(payinView(createPayin(world, body)));
    return underFault(world, exchange, 'payin.create', perform);
  };
  const list = ({ url }: Exchange) => {
    const all = world.store.all<Payin>('payin');
    return ok(listPage(all, url.searchParams, Object.keys(PAYIN_MOVES), payinView));
  };
  const cancel = (exchange: Exchange) => {
    const payin = byId(exchange);
    checkOpen(payin);
    const perform = () => ok(payinView(cancelPayin(world, payin)));
    return underFault(world, exchange, 'payin.cancel', perform);
  };
  return [
    ['POST', '/payins', create],
    ['GET', '/payins', list],
    ['GET', '/payins/:id', (exchange) => ok(payinView(byId(exchange)))],
    ['GET', '/payins/by-code/:code', (exchange) => ok(payinView(byCode(exchange)))],
    ['DELETE', '/payins/:id', cancel],
  ];
}

function payoutRoutes(world: World): Route[] {
  const byId = ({ params }: Exchange) => get(findPayout(world, params['id'] ?? ''), '415005');
  const byCode = ({ params }: Exchange) =>
    get(findPayoutByCode(world, params['code'] ?? ''), '415005');
  const create = (exchange: Exchange) => {
    const body = readNewPayout(world, exchange.body);
    const perform = () => ok(payoutView(createPayout(world, body)));
    return underFault(world, exchange, 'payout.create', perform);
  };
  const commit = (exchange: Exchange) => {
    const payout = byId(exchange);
    checkCommit(world, payout);
    const perform = () => {
      commitPayout(world, payout);
      return { status: 204 };
    };
    return underFault(world, exchange, 'payout.commit', perform);
  };
  const list = ({ url }: Exchange) => {
    const all = world.store.all<Payout>('payout');
    return ok(listPage(all, url.searchParams, Object.keys(PAYOUT_MOVES), payoutView));
  };
  const cancel = (exchange: Exchange) => {
    const payout = byId(exchange);
    checkCancel(payout);
    const perform = () => ok(payoutView(cancelPayout(world, payout)));
    return underFault(world, exchange, 'payout.cancel', perform);
  };
  return [
    ['POST', '/payouts', create],
    ['POST', '/payouts/:id/commit', commit],
    ['GET', '/payouts', list],
    ['GET', '/payouts/:id', (exchange) => ok(payoutView(byId(exchange)))],
    ['GET', '/payouts/by-code/:code', (exchange) => ok(payoutView(byCode(exchange)))],
    ['GET', '/payouts/:id/events', (exchange) => ok(payoutEventViews(byId(exchange)))],
    ['DELETE', '/payouts/:id', cancel],
  ];
}

function treasuryRoutes(world: World): Route[] {
  const statuses = ['CREATED', 'COMPLETED', 'FAILED'];
  const list = ({ url }: Exchange) => {
    const all = world.store.all<Withdrawal>('payment-withdrawal');
    return ok(listPage(all, url.searchParams, statuses, withdrawalView));
  };
  const one = ({ params }: Exchange) =>
    ok(withdrawalView(get(findWithdrawal(world, params['id'] ?? ''), '415902')));
  const listDeposits = ({ url }: Exchange) =>
    ok(listPage(deposits(), url.searchParams, statuses, (deposit) => deposit));
  const oneDeposit = ({ params }: Exchange) => {
    const found = deposits().find(({ id }) => id === params['id']);
    return ok(get(found, '415902'));
  };
  return [
    ['POST', '/crypto-accounts', ({ body }) => ok(createCryptoAccount(world, body))],
    ['POST', '/withdrawals', ({ body }) => ok(withdrawalView(createWithdrawal(world, body)))],
    ['GET', '/withdrawals', list],
    ['GET', '/withdrawals/:id', one],
    ['GET', '/deposits', listDeposits],
    ['GET', '/deposits/:id', oneDeposit],
  ];
}

async function respond(world: World, exchange: Exchange, call: Call): Promise<void> {
  const { request, response } = exchange;
  try {
    admit(world, request);
    runDue(world);
    const given = await call(exchange);
    if (given === undefined) return;
    if (given.body === undefined) response.writeHead(given.status).end();
    else sendJson(response, given.status, given.body);
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    sendJson(response, error.status, error.view());
  }
}

/** Faults strike what would have had an effect: a request that is refused anyway uses none up. */
async function underFault(
  world: World,
  { response }: Exchange,
  operation: string,
  perform: () => Reply,
): Promise<Reply> {
  const fault = world.faults.take('payment', operation, FAULTS);
  if (applyFaultBefore(fault, response)) return undefined;
  if (fault === 'reject') throw new PaymentRefusal('415903');
  const given = perform();
  return (await applyFaultAfter(fault, response)) ? undefined : given;
}

function nowhere({ request, url }: Exchange): never {
  throw new PaymentRefusal('415902', { path: `${request.method} ${url.pathname}` });
}

function get<T>(found: T | undefined, code: '415005' | '415031' | '415902'): T {
  if (found === undefined) throw new PaymentRefusal(code);
  return found;
}

function ok(body: object): Reply {
  return { status: 200, body };
}
