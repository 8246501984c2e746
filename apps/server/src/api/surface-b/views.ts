//! Response views of Surface B's members, projects and escrows: snake_case, numbers for money.
import type {
  BalanceEntryView,
  ConnectedWalletView,
  HistoryLineView,
  MemberEscrowView,
  PaginationView,
  ProjectView,
  ReleasedEscrowView,
} from '@holdfast/contract/records/member-records';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { ProjectId } from '@holdfast/kernel/ids';
import type { connectWallet } from '../../members/account/connect-wallet.ts';
import type { HistoryLine, listBalances } from '../../members/account/read-account.ts';
import type { createProject } from '../../members/projects/create-project.ts';
import type { fundProject } from '../../members/projects/fund-project.ts';
import type { NumberedPage } from '../../platform/database/numbered-page.ts';
import { numberOf } from './number-money.ts';

type Balance = Awaited<ReturnType<typeof listBalances>>[number];
type WalletLink = Awaited<ReturnType<typeof connectWallet>>;
type Project = Awaited<ReturnType<typeof createProject>>;
type OrderRecord = Awaited<ReturnType<typeof fundProject>>;

export function balanceEntryView({ currency, available, reserved }: Balance): BalanceEntryView {
  return { currency, available: numberOf(available), held: numberOf(reserved) };
}

const ID_DIGITS = 20;

export function historyLineView(line: HistoryLine): HistoryLineView {
  const { entryId, type, amount, kind, note, at } = line;
  return {
    id: `txn_${entryId.padStart(ID_DIGITS, '0')}`,
    type,
    amount: numberOf(amount.minor),
    currency: amount.currency,
    description: note ?? kind.replaceAll('_', ' '),
    created_at: instantText(at),
  };
}

export function paginationView({ page, limit, total }: NumberedPage<unknown>): PaginationView {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

export function walletView(link: WalletLink): ConnectedWalletView {
  const { provenAt } = link;
  return { ...walletLinkView(link), proven_at: instantText(provenAt) };
}

export function walletLinkView({ id, publicKey, connectedAt }: WalletLink) {
  return { wallet_id: id, public_key: publicKey, connected_at: instantText(connectedAt) };
}

export function projectView(project: Project): ProjectView {
  const { id, title, description, budget, status, escrowId, createdAt } = project;
  return {
    id,
    title,
    description,
    budget: numberOf(budget.minor),
    currency: budget.currency,
    status,
    escrow_id: escrowId,
    created_at: instantText(createdAt),
  };
}

export function escrowView(order: OrderRecord): MemberEscrowView {
  const { escrow, buyerId, sellerId, amount, currency, metadata } = order;
  assert(escrow !== null, 'a checkout that is done has an escrow');
  return {
    escrow_id: escrow.id,
    project_id: metadata['projectId'] as ProjectId,
    buyer_id: buyerId,
    seller_id: sellerId,
    amount: numberOf(amount.minor),
    currency,
    status: escrow.status === 'RELEASED' ? 'released' : 'funded',
    created_at: instantText(escrow.createdAt),
  };
}

/** The seller's amount: the order's amount less the fee. */
export function releasedView({ escrow, amount, fee }: OrderRecord): ReleasedEscrowView {
  assert(escrow?.releasedAt, 'a release that is done has its time');
  return {
    escrow_id: escrow.id,
    status: 'released',
    released_amount: numberOf(amount.minus(fee).minor),
    released_at: instantText(escrow.releasedAt),
  };
}
