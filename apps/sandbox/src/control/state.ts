//! The whole sandbox as one value, for the home page and GET /control/state.
import { VENDOR } from '../escrow/contract-address.ts';
import { ESCROWS } from '../escrow/contract-host.ts';
import { type DeployedEscrow, totalOf } from '../escrow/escrow-record.ts';
import { shortAmount } from '../ledger/amount.ts';
import { ACCOUNTS, type Account } from '../ledger/state.ts';
import { balanceOf } from '../payment/balance.ts';
import { centsText } from '../payment/cents.ts';
import type { Payin, Payout } from '../payment/records.ts';
import type { Webhook } from '../webhooks.ts';
import type { World } from '../world.ts';

export type WorldState = ReturnType<typeof readState>;

const SHOWN_MAX = 50;

/** Lists are newest first and cut; `counts` has how many there are. Amounts are decimal text. */
export function readState(world: World) {
  const { store, clock, faults, journal } = world;
  const accounts = store.all<Account>(ACCOUNTS);
  const contracts = store.all<DeployedEscrow>(ESCROWS);
  const payins = store.all<Payin>('payin');
  const payouts = store.all<Payout>('payout');
  const webhooks = store.all<Webhook>('webhook');
  const entries = journal.entries();
  const { available, pending } = balanceOf(store);
  return {
    clock: { now: clock.text(), offsetMs: clock.offsetMs },
    counts: {
      accounts: accounts.length,
      contracts: contracts.length,
      payins: payins.length,
      payouts: payouts.length,
      webhooks: webhooks.length,
      journal: entries.length,
    },
    balance: { available: centsText(available), pending: centsText(pending) },
    accounts: newest(accounts).map((account) => accountLine(world, account)),
    contracts: newest(contracts).map((deployed) => contractLine(world, deployed)),
    payins: newest(payins).map((payin) => payinLine(world, payin)),
    payouts: newest(payouts).map(payoutLine),
    webhooks: newest(webhooks).map(webhookLine),
    faults: faults.armed(),
    journal: newest(entries),
  };
}

function newest<T>(oldestFirst: readonly T[]): T[] {
  return oldestFirst.slice(-SHOWN_MAX).reverse();
}

function accountLine({ ledger }: World, { address, balance, lines }: Account) {
  const { root, issuer, usdcKey } = ledger.network;
  const line = lines[usdcKey];
  const names = {
    [root.publicKey()]: 'root',
    [issuer.publicKey()]: 'USDC issuer',
    [VENDOR.publicKey()]: 'escrow provider',
  };
  return {
    address,
    name: names[address] ?? null,
    xlm: shortAmount(balance),
    /** Null without a trustline. */
    usdc: line === undefined ? null : shortAmount(line.balance),
  };
}

function contractLine({ ledger }: World, { contractId, escrow }: DeployedEscrow) {
  return {
    contractId,
    orderId: escrow.engagementId,
    title: escrow.title,
    type: escrow.type,
    total: shortAmount(totalOf(escrow)),
    balance: shortAmount(ledger.usdcOf(contractId)),
    flags: escrow.flags,
    milestones: escrow.milestones.map(({ description, status, amount, isApproved, flags }) => ({
      description,
      status,
      amount: shortAmount(amount),
      approved: isApproved,
      flags,
    })),
  };
}

function payinLine({ settings }: World, payin: Payin) {
  const { id, code, status, createdAt } = payin;
  const paymentPage = `${settings.publicUrl}/payin/${id}`;
  return { id, code, amount: centsText(payin.amount), status, paymentPage, createdAt };
}

function payoutLine(payout: Payout) {
  const { id, status, recipient, reason, createdAt } = payout;
  return {
    id,
    code: payout.code ?? null,
    amount: centsText(payout.gross),
    status,
    to: 'email' in recipient ? recipient.email : `bank ${recipient.bankRef}`,
    reason: reason ? `${reason.code} ${reason.description}` : null,
    /** The outcome that control has set before the commit. */
    outcome: status === 'CREATED' ? (payout.outcome ?? null) : null,
    createdAt,
  };
}

function webhookLine({ id, provider, type, status, attempts, createdAt }: Webhook) {
  const last = attempts.at(-1);
  const met = last?.status ?? last?.error;
  return {
    id,
    provider,
    type,
    status,
    attempts: attempts.length,
    /** The result of the last attempt: an HTTP status or an error. */
    last: met === undefined ? null : String(met),
    createdAt,
  };
}
