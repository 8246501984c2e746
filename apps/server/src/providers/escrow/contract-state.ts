//! Reads the escrow provider's record of a contract. A record that cannot be read in full is
//! refused.

import { readExact } from '../exact-number.ts';
import type {
  ContractFlags,
  ContractKind,
  ContractState,
  MilestoneState,
} from './escrow-provider.ts';

/** The network counts in ten-millionths. */
export const STROOP_PLACES = 7;
/** A percentage has two places; in hundredths of a percent it is a whole number. */
export const PERCENT_PLACES = 2;

type Fields = Readonly<Record<string, unknown>>;

export function readContractState(json: unknown): ContractState | undefined {
  const fields = fieldsOf(json);
  const { contractId, engagementId, type, milestones } = fields;
  const kind = kindOf(type);
  const balanceStroops = readExact(fields['balance'], STROOP_PLACES);
  const feeBasisPoints = readExact(fields['platformFee'], PERCENT_PLACES);
  if (typeof contractId !== 'string' || typeof engagementId !== 'string') return undefined;
  if (kind === undefined || balanceStroops === undefined || feeBasisPoints === undefined) {
    return undefined;
  }
  const flags = kind === 'single-release' ? readFlags(fields['flags']) : NO_FLAGS;
  const states = Array.isArray(milestones)
    ? milestones.map((milestone: unknown) => readMilestone(kind, milestone))
    : [undefined];
  if (flags === undefined || !states.every((state) => state !== undefined)) return undefined;
  return {
    contractId,
    engagementId,
    kind,
    balanceStroops,
    feeBasisPoints,
    milestones: states,
    ...flags,
  };
}

const NO_FLAGS: ContractFlags = { isDisputed: false, isReleased: false, isResolved: false };

function kindOf(type: unknown): ContractKind | undefined {
  return type === 'single-release' || type === 'multi-release' ? type : undefined;
}

function readMilestone(kind: ContractKind, json: unknown): MilestoneState | undefined {
  const fields = fieldsOf(json);
  const status = typeof fields['status'] === 'string' ? fields['status'] : '';
  if (kind === 'single-release') {
    const isApproved = readFlag(fields['approved'] ?? fieldsOf(fields['flags'])['approved']);
    if (isApproved === undefined) return undefined;
    return { ...NO_FLAGS, status, isApproved, stroops: null, receiver: null };
  }
  const { receiver } = fields;
  const stroops = readExact(fields['amount'], STROOP_PLACES);
  const flags = readFlags(fields['flags']);
  const isApproved = readFlag(fieldsOf(fields['flags'])['approved']);
  if (stroops === undefined || flags === undefined || isApproved === undefined) return undefined;
  return typeof receiver === 'string'
    ? { ...flags, status, isApproved, stroops, receiver }
    : undefined;
}

function readFlags(json: unknown): ContractFlags | undefined {
  const fields = fieldsOf(json);
  const isDisputed = readFlag(fields['disputed']);
  const isReleased = readFlag(fields['released']);
  const isResolved = readFlag(fields['resolved']);
  if (isDisputed === undefined || isReleased === undefined || isResolved === undefined) {
    return undefined;
  }
  return { isDisputed, isReleased, isResolved };
}

/** The provider leaves out flags that were never set. */
function readFlag(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return false;
  return typeof value === 'boolean' ? value : undefined;
}

function fieldsOf(json: unknown): Fields {
  return typeof json === 'object' && json !== null ? (json as Fields) : {};
}
