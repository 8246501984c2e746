//! The part of a run that compares addresses, contracts and the treasury with our books.
import { findUncredited } from '../../payments/deposits/address-deposits.ts';
import { bookedStroops, findMirror } from '../../payments/mirror/wallet-mirror.ts';
import { read, transact } from '../../platform/database/transact.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import {
  type AddressState,
  compareAddress,
  isExplained,
  type UnbookedPayment,
} from '../comparison/compare-address.ts';
import type { Finding } from '../comparison/finding.ts';
import { ASSETS, type Asset } from '../solvency/house-position.ts';
import { compareContract } from './compare-contract.ts';
import { listAbandoned, listAddresses, listEscrowed, type UserAddress } from './network-rows.ts';
import { addResults, NOTHING, type PageResult, recordFindings } from './page-result.ts';
import { everyPage, type ReconcilePlan, type ReconcileRun } from './run-plan.ts';

const PROVIDER = 'ledger_network';
const ADDRESSES_PER_PAGE = 50;
const CONTRACTS_PER_PAGE = 20;
/** The books may change while the network is read. */
const ATTEMPTS_MAX = 3;

export async function reconcileNetwork(
  run: ReconcileRun,
  plan: ReconcilePlan,
): Promise<PageResult> {
  const addresses = await everyPage(run, 'addresses', PROVIDER, (after) =>
    addressPage(run, plan, after),
  );
  const contracts = await everyPage(run, 'contracts', PROVIDER, (after) =>
    contractPage(run, plan, listEscrowed, after),
  );
  const abandoned = await everyPage(run, 'abandoned', PROVIDER, (after) =>
    contractPage(run, plan, listAbandoned, after),
  );
  return addResults(addResults(addresses, contracts), abandoned);
}

async function addressPage(
  run: ReconcileRun,
  plan: ReconcilePlan,
  after: string | null,
): Promise<Outcome<PageResult>> {
  const { app, call } = run;
  const page = await read(app, call, (tx) => listAddresses(tx, after, ADDRESSES_PER_PAGE));
  const findings: Finding[] = [];
  for (const wallet of page) {
    const checked = await checkAddress(run, wallet);
    if (checked.kind !== 'done') return checked;
    findings.push(...checked.value);
  }
  const next = page.length < ADDRESSES_PER_PAGE ? null : (page.at(-1)?.userId ?? null);
  return write(run, plan, findings, next);
}

async function checkAddress(run: ReconcileRun, wallet: UserAddress): Promise<Outcome<Finding[]>> {
  for (let attempt = 1; ; attempt += 1) {
    const states = await readStates(run, wallet);
    if (states.kind !== 'done') return states;
    const unexplained = states.value.filter((state) => !isExplained(state));
    if (unexplained.length > 0 && attempt < ATTEMPTS_MAX) continue;
    const unbooked =
      unexplained.length === 0 ? done([]) : await findUncredited(run.app, wallet.address);
    if (unbooked.kind !== 'done') return unbooked;
    return done(
      states.value.flatMap((state) =>
        compareAddress(state, paymentsIn(unbooked.value, state.currency)),
      ),
    );
  }
}

function paymentsIn(
  payments: readonly (UnbookedPayment & { readonly asset: Asset })[],
  wanted: Asset,
): UnbookedPayment[] {
  return payments.filter(({ asset }) => asset === wanted);
}

/** The books are read first: the network's later state can only be newer. */
async function readStates(
  { app, call }: ReconcileRun,
  { userId, address }: UserAddress,
): Promise<Outcome<AddressState[]>> {
  const known = await read(app, call, async (tx) => {
    const states: Omit<AddressState, 'actual'>[] = [];
    for (const currency of ASSETS) {
      const booked = await bookedStroops(tx, userId, currency);
      const mirror = await findMirror(tx, userId, currency);
      states.push({ userId, address, currency, booked, ...mirror });
    }
    return states;
  });
  const found = await app.network.account(address);
  if (found.kind !== 'done') return found;
  const assets = found.value?.assets ?? [];
  return done(
    known.map((state) => ({
      ...state,
      actual: assets.find(({ code }) => code === state.currency)?.stroops ?? 0n,
    })),
  );
}

async function contractPage(
  run: ReconcileRun,
  plan: ReconcilePlan,
  list: typeof listEscrowed,
  after: string | null,
): Promise<Outcome<PageResult>> {
  const { app, call } = run;
  const { page, next } = await read(app, call, (tx) => list(tx, after, CONTRACTS_PER_PAGE));
  const findings: Finding[] = [];
  for (const escrowed of page) {
    const state = await app.escrows.read(escrowed.contractId);
    if (state.kind !== 'done') return state;
    findings.push(compareContract(escrowed, state.value?.balanceStroops ?? null));
  }
  return write(run, plan, findings, next);
}

async function write(
  { app, call }: ReconcileRun,
  plan: ReconcilePlan,
  findings: readonly Finding[],
  next: string | null,
): Promise<Outcome<PageResult>> {
  const about = { id: plan.runId, provider: PROVIDER } as const;
  const tallies = await transact(app, call, (tx) => recordFindings(tx, about, findings));
  return done({ ...NOTHING, tallies, next });
}
