//! The control API for tests and developers: every route under /control, and the home page.
//!
//! Responses are JSON, except that a browser is redirected to the home page after a form.
import { StrKey } from '@stellar/stellar-sdk';
import { FAULT_KINDS, FAULT_OPERATIONS, type FaultKind } from '../faults.ts';
import { readAmount } from '../ledger/amount.ts';
import { homeSections, sendHome } from '../pages/home-page.ts';
import { sendHtml } from '../pages/html.ts';
import { runDue } from '../payment/timers.ts';
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import { checkCaller } from './guard.ts';
import {
  ControlRefusal,
  choiceOf,
  decimalOf,
  flagOf,
  numberOf,
  readInput,
  refuse,
  textOf,
  wholeOf,
} from './input.ts';
import {
  decidePayin,
  decidePayout,
  PAYIN_OUTCOMES,
  PAYOUT_OUTCOMES,
  reinstateReversed,
  returnCompleted,
  reverseConfirmed,
} from './outcomes.ts';
import { readPaymentSettings, writePaymentSettings } from './payment-settings.ts';
import { readState } from './state.ts';
import { readWebhooks, resetWorld, writeTargets } from './world-control.ts';

/** Undefined: the call has sent its response already. */
type Call = (exchange: Exchange) => object | undefined;
type Route = readonly [method: string, path: string, call: Call];

const SECONDS_MAX = 10 * 365 * 86_400;
const TIMES_MAX = 1_000_000;

export function serveControl(world: World): void {
  const routes: readonly Route[] = [
    ['GET', '/', ({ response }) => sendHome(response, readState(world))],
    ['GET', '/control/state', (exchange) => showState(world, exchange)],
    ['GET', '/control/faults', () => ({ faults: world.faults.armed() })],
    ['POST', '/control/faults', (exchange) => armFault(world, exchange)],
    ['DELETE', '/control/faults', () => clearFaults(world)],
    ['GET', '/control/journal', (exchange) => readJournal(world, exchange)],
    ['GET', '/control/clock', () => readClock(world)],
    ['POST', '/control/clock/advance', (exchange) => advanceClock(world, exchange)],
    ['POST', '/control/ledger/deposit', (exchange) => deposit(world, exchange)],
    ['POST', '/control/ledger/drift', (exchange) => drift(world, exchange)],
    ['POST', '/control/ledger/fund', (exchange) => fund(world, exchange)],
    ['POST', '/control/payins/:code', (exchange) => setPayin(world, exchange)],
    ['POST', '/control/payins/:code/reverse', (exchange) => takeBack(exchange, reverseConfirmed)],
    [
      'POST',
      '/control/payins/:code/reinstate',
      (exchange) => takeBack(exchange, reinstateReversed),
    ],
    ['POST', '/control/payouts/:code/return', (exchange) => takeBack(exchange, returnCompleted)],
    ['POST', '/control/payouts/:code', (exchange) => setPayout(world, exchange)],
    ['GET', '/control/payment', () => readPaymentSettings(world)],
    ['POST', '/control/payment', (exchange) => writePaymentSettings(world, exchange)],
    ['POST', '/control/limits', (exchange) => setLimits(world, exchange)],
    ['GET', '/control/webhooks', () => readWebhooks(world)],
    ['POST', '/control/webhooks', (exchange) => writeTargets(world, exchange)],
    ['POST', '/control/reset', () => resetWorld(world)],
  ];
  function takeBack(
    exchange: Exchange,
    act: (world: World, name: string) => { id: string; code?: string; status: string },
  ): object {
    readInput(exchange, []);
    const { id, code, status } = act(world, exchange.params['code'] ?? '');
    return { id, code, status };
  }
  for (const [method, path, call] of routes)
    world.router.on(method, path, (exchange) => respond(world, exchange, call));
}

function respond(world: World, exchange: Exchange, call: Call): void {
  const { request, response } = exchange;
  try {
    checkCaller(request, world.settings.sharedAs);
    runDue(world);
    const given = call(exchange);
    if (given === undefined) return;
    const isForm = request.method === 'POST' && wantsHtml(exchange);
    if (isForm) response.writeHead(303, { location: '/' }).end();
    else sendJson(response, 200, given);
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    sendJson(response, error.status, { message: error.message });
  }
}

/** One address for both: the page requests its own sections as HTML. */
function showState(world: World, exchange: Exchange): object | undefined {
  const state = readState(world);
  if (!wantsHtml(exchange)) return state;
  sendHtml(exchange.response, 200, homeSections(state));
  return undefined;
}

function armFault(world: World, exchange: Exchange): object {
  const given = readInput(exchange, ['provider', 'operation', 'kind', 'times', 'at']);
  const input = { ...given, ...splitTarget(given['at']) };
  const provider = choiceOf(input, 'provider', Object.keys(FAULT_OPERATIONS));
  const operation = choiceOf(input, 'operation', FAULT_OPERATIONS[provider] ?? []);
  const kind = choiceOf(input, 'kind', Object.keys(FAULT_KINDS) as FaultKind[]);
  const times = input['times'] === undefined ? 1 : wholeOf(input, 'times', TIMES_MAX);
  if (times < 1) refuse('times', 'must be at least 1');
  checkKind(provider, operation, kind);
  const fault = { provider, operation, kind, times };
  // The stored fault counts down; the copy in the response must not.
  world.faults.arm({ ...fault });
  return { fault };
}

/** The home page's form names both in one choice: `payment payin.create`. */
function splitTarget(at: unknown): object {
  if (typeof at !== 'string') return {};
  const [provider, operation] = at.split(' ');
  return { provider, operation };
}

const STALE_AT: readonly string[] = ['escrow read', 'ledger lookup'];

/** A fault that can never occur is a test that proves nothing. */
function checkKind(provider: string, operation: string, kind: FaultKind): void {
  const target = `${provider} ${operation}`;
  const isOfWebhooks = /-webhooks?$/.test(kind);
  // Reads of the escrow provider can only be stale; no other fault exists for them yet.
  const isAmiss =
    isOfWebhooks !== (operation === 'webhook') ||
    (kind === 'stale' ? !STALE_AT.includes(target) : target === 'escrow read');
  if (isAmiss)
    throw new ControlRefusal(
      400,
      `the fault kind ${kind} does not apply to ${target}; see \`holdfast fault kinds\``,
    );
  if (kind === 'no-contract-id' && target !== 'escrow deploy')
    throw new ControlRefusal(400, 'the fault kind no-contract-id applies only to escrow deploy');
}

function clearFaults(world: World): object {
  world.faults.clear();
  return { faults: [] };
}

function readJournal(world: World, { url }: Exchange): object {
  const given = url.searchParams.get('after');
  const after = given === null ? 0 : wholeOf({ after: given }, 'after', Number.MAX_SAFE_INTEGER);
  return { entries: world.journal.entries().filter(({ seq }) => seq > after) };
}

function readClock({ clock }: World): object {
  return { now: clock.text(), offsetMs: clock.offsetMs };
}

/** Runs the work that has become due before it responds. */
function advanceClock(world: World, exchange: Exchange): object {
  const seconds = numberOf(readInput(exchange, ['seconds']), 'seconds', SECONDS_MAX);
  world.clock.advance(seconds);
  runDue(world);
  return readClock(world);
}

function deposit(world: World, exchange: Exchange): object {
  const input = readInput(exchange, ['address', 'asset', 'amount']);
  const address = textOf(input, 'address');
  if (!StrKey.isValidEd25519PublicKey(address) && !StrKey.isValidContract(address))
    refuse('address', 'must be an account (G…) or a contract (C…)');
  const asset = choiceOf(input, 'asset', ['USDC', 'XLM']);
  const amount = decimalOf(input, 'amount', 7);
  return onLedger(() => world.ledger.deposit(address, asset, amount));
}

function drift(world: World, exchange: Exchange): object {
  const input = readInput(exchange, ['address', 'asset', 'amount', 'direction']);
  const address = textOf(input, 'address');
  const asset = choiceOf(input, 'asset', ['USDC', 'XLM']);
  const stroops = readAmount(decimalOf(input, 'amount', 7));
  const isMore = choiceOf(input, 'direction', ['more', 'less']) === 'more';
  try {
    world.ledger.drift(address, asset, isMore ? stroops : -stroops);
  } catch (error) {
    throw new ControlRefusal(422, (error as Error).message);
  }
  return { address, asset, drifted: true };
}

function fund(world: World, exchange: Exchange): object {
  const input = readInput(exchange, ['address', 'xlm']);
  const address = textOf(input, 'address');
  if (!StrKey.isValidEd25519PublicKey(address)) refuse('address', 'must be an account (G…)');
  const xlm = input['xlm'] === undefined ? '10000' : decimalOf(input, 'xlm', 7);
  return onLedger(() => world.ledger.fund(address, xlm));
}

/** The ledger says why it did not take it: no trustline, no account, nothing to pay. */
function onLedger(act: () => { readonly hash: string; readonly ledger: number }): object {
  try {
    const { hash, ledger } = act();
    return { hash, ledger };
  } catch (error) {
    throw new ControlRefusal(422, (error as Error).message);
  }
}

function setPayin(world: World, exchange: Exchange): object {
  const to = choiceOf(readInput(exchange, ['status']), 'status', PAYIN_OUTCOMES);
  const { id, code, status } = decidePayin(world, exchange.params['code'] ?? '', to);
  return { id, code, status };
}

function setPayout(world: World, exchange: Exchange): object {
  const to = choiceOf(readInput(exchange, ['status']), 'status', PAYOUT_OUTCOMES);
  const payout = decidePayout(world, exchange.params['code'] ?? '', to);
  const { id, code, status, outcome } = payout;
  return { id, code, status, ...(status === 'CREATED' && { outcome }) };
}

function setLimits(world: World, exchange: Exchange): object {
  const input = readInput(exchange, ['escrow', 'payment']);
  for (const provider of Object.keys(input))
    world.store.put('limits', provider, flagOf(input, provider));
  const isOn = (provider: string) => world.store.get<boolean>('limits', provider) ?? false;
  return { escrow: isOn('escrow'), payment: isOn('payment') };
}

function wantsHtml({ request }: Exchange): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}
