//! Events of the escrow webhooks: one for each change that matters outside the contract.
//!
//! An event is stored together with its transaction, so that a crash between the two loses none.
import { sha256 } from '../ledger/network.ts';
import type { Change } from '../store.ts';
import { type DeployedEscrow, type Escrow, type Milestone, totalOf } from './escrow-record.ts';

export type EscrowEventType = keyof typeof STATUS;

/** The status of the escrow as our own specification calls it. */
const STATUS = {
  'escrow.created': 'CREATED',
  'escrow.funding_started': 'FUNDING',
  'escrow.funded': 'FUNDED',
  'escrow.milestone_completed': 'FUNDED',
  'escrow.released': 'RELEASED',
  'escrow.refunded': 'REFUNDED',
  'escrow.disputed': 'DISPUTED',
} as const;

export interface EscrowEvent {
  readonly type: EscrowEventType;
  readonly event_id: string;
  readonly data: {
    readonly contract_id: string;
    readonly order_id: string;
    readonly status: string;
    /** Stroops. */
    readonly amount: string;
    readonly currency: string;
    readonly buyer_address: string;
    readonly seller_address: string;
    readonly transaction_hash: string;
    readonly milestone_ref: string | null;
    readonly created_at: string;
    readonly updated_at: string;
  };
}

export interface AppliedStep {
  readonly effect: string;
  /** As it is after the step. */
  readonly record: DeployedEscrow;
  readonly balance: bigint;
  readonly amount: bigint | undefined;
  readonly milestoneIndex: number | undefined;
  readonly txHash: string;
}

/** Events that wait to be sent; the watcher removes them. */
export const EVENTS = 'escrow-event';

export function eventChanges(step: AppliedStep): Change[] {
  const type = typeOf(step);
  if (type === undefined) return [];
  const event = describe(type, step);
  return [[EVENTS, event.event_id, event]];
}

function typeOf({ effect, record, balance, milestoneIndex }: AppliedStep) {
  const { escrow } = record;
  switch (effect) {
    case 'escrow.deploy':
      return 'escrow.created';
    case 'escrow.fund':
      return balance < totalOf(escrow) ? 'escrow.funding_started' : 'escrow.funded';
    case 'escrow.status':
      return isCompleted(escrow.milestones[milestoneIndex ?? -1])
        ? 'escrow.milestone_completed'
        : undefined;
    case 'escrow.dispute':
      return 'escrow.disputed';
    case 'escrow.release':
    case 'escrow.resolve':
      // A multi-release escrow is settled with its last milestone, and emits one event.
      return isSettled(escrow) ? outcomeOf(record) : undefined;
    default:
      return undefined;
  }
}

function isCompleted(milestone: Milestone | undefined): boolean {
  return milestone?.status.toLowerCase() === 'completed';
}

function isSettled(escrow: Escrow): boolean {
  const parts = escrow.type === 'single-release' ? [escrow] : escrow.milestones;
  return parts.every(({ flags }) => flags.released || flags.resolved);
}

/** Refunded only when the buyer got everything. */
function outcomeOf({ paidToOthers }: DeployedEscrow): EscrowEventType {
  return paidToOthers > 0n ? 'escrow.released' : 'escrow.refunded';
}

function describe(type: EscrowEventType, step: AppliedStep): EscrowEvent {
  const { record, txHash, milestoneIndex } = step;
  const { escrow, contractId } = record;
  const isWhole = type === 'escrow.released' || type === 'escrow.refunded';
  const amount = isWhole ? record.paidToBuyer + record.paidToOthers : (step.amount ?? 0n);
  const milestone = milestoneIndex === undefined ? undefined : escrow.milestones[milestoneIndex];
  return {
    type,
    event_id: `evt_${sha256(type, txHash).toString('hex').slice(0, 32)}`,
    data: {
      contract_id: contractId,
      order_id: escrow.engagementId,
      status: STATUS[type],
      amount: String(amount),
      currency: 'USDC',
      buyer_address: escrow.roles.approver,
      seller_address: escrow.roles.serviceProvider,
      transaction_hash: txHash,
      milestone_ref: isWhole ? null : (milestone?.description ?? null),
      created_at: new Date(record.createdAt).toISOString(),
      updated_at: new Date(record.updatedAt).toISOString(),
    },
  };
}
