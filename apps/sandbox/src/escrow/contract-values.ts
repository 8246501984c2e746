//! Escrows and arguments as contract values, written and read. A struct is a map with sorted keys.
import { Address, nativeToScVal, scValToNative, xdr } from '@stellar/stellar-sdk';
import { ContractError } from '../ledger/contract.ts';
import { type Escrow, type EscrowType, type Milestone, NO_FLAGS } from './escrow-record.ts';
import type { Share } from './fees.ts';

export const text = (value: string): xdr.ScVal => nativeToScVal(value, { type: 'string' });
export const symbol = (value: string): xdr.ScVal => xdr.ScVal.scvSymbol(value);
export const address = (value: string): xdr.ScVal => new Address(value).toScVal();
export const u32 = (value: number): xdr.ScVal => xdr.ScVal.scvU32(value);
export const i128 = (value: bigint): xdr.ScVal => nativeToScVal(value, { type: 'i128' });
const bool = (value: boolean): xdr.ScVal => xdr.ScVal.scvBool(value);
export const bytes = (value: Uint8Array): xdr.ScVal => xdr.ScVal.scvBytes(value);
export const list = (values: xdr.ScVal[]): xdr.ScVal => xdr.ScVal.scvVec(values);
export const nothing = (): xdr.ScVal => xdr.ScVal.scvVoid();

function struct(fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal {
  const names = Object.keys(fields).sort();
  return map(names.map((name) => [symbol(name), fields[name] ?? nothing()]));
}

function map(entries: readonly (readonly [xdr.ScVal, xdr.ScVal])[]): xdr.ScVal {
  return xdr.ScVal.scvMap(entries.map(([key, val]) => new xdr.ScMapEntry({ key, val })));
}

/** Sorted by the bytes of the addresses, as the host requires: their text sorts differently. */
export function sharesValue(shares: readonly Share[]): xdr.ScVal {
  const entries = shares.map((share) => [address(share.address), i128(share.stroops)] as const);
  return map(entries.sort(([one], [other]) => Buffer.compare(one.toXdr(), other.toXdr())));
}

/** The two lineages of the contract name this role differently, and so do we. */
const PLATFORM = { 'single-release': 'platform_address', 'multi-release': 'platform' } as const;

export function escrowValue(escrow: Escrow): xdr.ScVal {
  const { type, roles } = escrow;
  const isSingle = type === 'single-release';
  return struct({
    engagement_id: text(escrow.engagementId),
    title: text(escrow.title),
    description: text(escrow.description),
    roles: struct({
      approver: address(roles.approver),
      service_provider: address(roles.serviceProvider),
      [PLATFORM[type]]: address(roles.platformAddress),
      release_signer: address(roles.releaseSigner),
      dispute_resolver: address(roles.disputeResolver),
      ...(isSingle && { receiver: address(roles.receiver) }),
    }),
    platform_fee: u32(escrow.platformFee),
    milestones: list(escrow.milestones.map((each) => milestoneValue(type, each))),
    trustline: struct({ address: address(escrow.trustline) }),
    receiver_memo: i128(escrow.receiverMemo),
    ...(isSingle && { amount: i128(escrow.amount), flags: flagsValue(escrow.flags) }),
  });
}

function milestoneValue(type: EscrowType, milestone: Milestone): xdr.ScVal {
  const { description, status, evidence, isApproved, amount, receiver, flags } = milestone;
  const common = {
    description: text(description),
    status: text(status),
    evidence: text(evidence),
  };
  if (type === 'single-release') return struct({ ...common, approved: bool(isApproved) });
  return struct({
    ...common,
    amount: i128(amount),
    receiver: address(receiver),
    flags: flagsValue({ approved: isApproved, ...flags }),
  });
}

function flagsValue(flags: Readonly<Record<string, boolean>> | Escrow['flags']): xdr.ScVal {
  return struct(
    Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, bool(value)])),
  );
}

type Native = Readonly<Record<string, unknown>>;

/** The host's error for a value that is not of the function's type. */
export function trap(): ContractError {
  return new ContractError('HostError: Error(Value, UnexpectedType)');
}

export function readEscrow(type: EscrowType, value: xdr.ScVal | undefined): Escrow {
  const fields = readStruct(readNative(value));
  const roles = readStruct(fields['roles']);
  const isSingle = type === 'single-release';
  const { milestones } = fields;
  if (!Array.isArray(milestones)) throw trap();
  return {
    type,
    engagementId: readText(fields['engagement_id']),
    title: readText(fields['title']),
    description: readText(fields['description']),
    roles: {
      approver: readText(roles['approver']),
      serviceProvider: readText(roles['service_provider']),
      platformAddress: readText(roles[PLATFORM[type]]),
      releaseSigner: readText(roles['release_signer']),
      disputeResolver: readText(roles['dispute_resolver']),
      receiver: isSingle ? readText(roles['receiver']) : '',
    },
    amount: isSingle ? readBig(fields['amount']) : 0n,
    platformFee: readSmall(fields['platform_fee']),
    milestones: milestones.map((each) => readMilestone(type, readStruct(each))),
    flags: isSingle ? readFlags(readStruct(fields['flags'])) : NO_FLAGS,
    trustline: readText(readStruct(fields['trustline'])['address']),
    receiverMemo: readBig(fields['receiver_memo']),
  };
}

function readMilestone(type: EscrowType, fields: Native): Milestone {
  const isSingle = type === 'single-release';
  const flags = isSingle ? { approved: fields['approved'] } : readStruct(fields['flags']);
  return {
    description: readText(fields['description']),
    status: readText(fields['status']),
    evidence: readText(fields['evidence']),
    isApproved: readBool(flags['approved']),
    amount: isSingle ? 0n : readBig(fields['amount']),
    receiver: isSingle ? '' : readText(fields['receiver']),
    flags: isSingle ? NO_FLAGS : readFlags(flags),
  };
}

function readFlags(fields: Native): Escrow['flags'] {
  return {
    disputed: readBool(fields['disputed']),
    released: readBool(fields['released']),
    resolved: readBool(fields['resolved']),
  };
}

function readNative(value: xdr.ScVal | undefined): unknown {
  if (value === undefined) throw trap();
  return scValToNative(value);
}

function readStruct(value: unknown): Native {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw trap();
  return value as Native;
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw trap();
  return value;
}

function readBool(value: unknown): boolean {
  if (typeof value !== 'boolean') throw trap();
  return value;
}

/** An i128. */
function readBig(value: unknown): bigint {
  if (typeof value !== 'bigint') throw trap();
  return value;
}

/** A u32. */
function readSmall(value: unknown): number {
  if (typeof value !== 'number') throw trap();
  return value;
}

/** The arguments of one call, taken from left to right. */
export class Arguments {
  readonly #values: readonly xdr.ScVal[];
  #next = 0;

  constructor(values: readonly xdr.ScVal[], count: number) {
    if (values.length !== count) throw trap();
    this.#values = values;
  }

  #take(type: xdr.ScVal['type']): unknown {
    const value = this.#values[this.#next++];
    if (value?.type !== type) throw trap();
    return scValToNative(value);
  }

  address(): string {
    return readText(this.#take('scvAddress'));
  }

  text(): string {
    return readText(this.#take('scvString'));
  }

  symbol(): string {
    return readText(this.#take('scvSymbol'));
  }

  stroops(): bigint {
    return readBig(this.#take('scvI128'));
  }

  u32(): number {
    return readSmall(this.#take('scvU32'));
  }

  /** An index that the contract declares as i128; a value out of range names no milestone. */
  wideIndex(): number {
    const index = this.stroops();
    // A plain sign, since this is no amount: it has at most two digits when it names anything.
    return index >= 0n && index < 1_000n ? +String(index) : -1;
  }

  optionalText(): string | undefined {
    if (this.#values[this.#next]?.type !== 'scvVoid') return this.text();
    this.#next += 1;
    return undefined;
  }

  bytes32(): Uint8Array {
    const value = this.#take('scvBytes');
    if (!(value instanceof Uint8Array) || value.length !== 32) throw trap();
    return value;
  }

  list(): readonly xdr.ScVal[] {
    const value = this.#values[this.#next++];
    if (value?.type !== 'scvVec') throw trap();
    return value.vec ?? [];
  }

  escrow(type: EscrowType): Escrow {
    return readEscrow(type, this.#values[this.#next++]);
  }

  shares(): Share[] {
    const value = this.#values[this.#next++];
    if (value?.type !== 'scvMap') throw trap();
    return (value.map ?? []).map(({ key, val }) => {
      if (key.type !== 'scvAddress' || val.type !== 'scvI128') throw trap();
      return { address: readText(scValToNative(key)), stroops: readBig(scValToNative(val)) };
    });
  }
}
