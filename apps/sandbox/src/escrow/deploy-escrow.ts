//! POST /deployer/{type}: reads the requested escrow, and builds the call that deploys it.
import { randomBytes } from 'node:crypto';
import type { World } from '../world.ts';
import { ApiRefusal } from './api-refusal.ts';
import type { Body, Shape } from './body-shape.ts';
import { DEPLOY_FUNCTION, FACTORY, WASM_HASH } from './contract-address.ts';
import { address, bytes, escrowValue, list, symbol } from './contract-values.ts';
import {
  type Escrow,
  type EscrowType,
  type Milestone,
  NO_FLAGS,
  type Roles,
} from './escrow-record.ts';
import { readNumberAmount } from './number-amount.ts';
import type { VendorCall } from './vendor-call.ts';

const ROLES: Shape = {
  approver: { type: 'account' },
  serviceProvider: { type: 'account' },
  platformAddress: { type: 'account' },
  releaseSigner: { type: 'account' },
  disputeResolver: { type: 'account' },
};

const COMMON: Shape = {
  engagementId: { type: 'text' },
  title: { type: 'text', lengthMax: 100 },
  description: { type: 'text', lengthMax: 500 },
  platformFee: { type: 'number' },
  trustline: {
    type: 'object',
    fields: { address: { type: 'account' }, symbol: { type: 'text' } },
  },
};

const DESCRIPTION: Shape = { description: { type: 'text' } };
const MILESTONE: Readonly<Record<EscrowType, Shape>> = {
  'single-release': DESCRIPTION,
  'multi-release': {
    ...DESCRIPTION,
    amount: { type: 'number' },
    receiver: { type: 'account' },
  },
};

/** The properties of an escrow; an update may carry more of each milestone than a deploy. */
export function escrowShape(type: EscrowType, milestoneExtra: Shape = {}): Shape {
  const isSingle = type === 'single-release';
  return {
    ...COMMON,
    roles: {
      type: 'object',
      fields: isSingle ? { ...ROLES, receiver: { type: 'account' } } : ROLES,
    },
    ...(isSingle && { amount: { type: 'number' } }),
    milestones: { type: 'list', fields: { ...MILESTONE[type], ...milestoneExtra } },
  };
}

export function deployShape(type: EscrowType): Shape {
  return { signer: { type: 'account' }, ...escrowShape(type) };
}

export function deployCall(world: World, type: EscrowType, body: Body): VendorCall {
  const escrow = readEscrowBody(world, type, body);
  checkHolders(world, escrow);
  const signer = body['signer'] as string;
  return {
    source: signer,
    contractId: FACTORY,
    functionName: DEPLOY_FUNCTION[type],
    args: [
      address(signer),
      bytes(WASM_HASH[type]),
      bytes(randomBytes(32)),
      symbol('initialize_escrow'),
      list([escrowValue(escrow)]),
      list([]),
    ],
  };
}

/** The body has been checked against the shape of its type. */
export function readEscrowBody(world: World, type: EscrowType, body: Body): Escrow {
  const { issuer, usdcContract } = world.ledger.network;
  const trustline = body['trustline'] as { address: string; symbol: string };
  // The issuer, not the token contract: the vendor looks the contract up itself.
  if (trustline.address !== issuer.publicKey() || trustline.symbol !== 'USDC')
    throw new ApiRefusal(400, 'The trustline is not supported');
  const roles = body['roles'] as Roles;
  const isSingle = type === 'single-release';
  return {
    type,
    engagementId: body['engagementId'] as string,
    title: body['title'] as string,
    description: body['description'] as string,
    roles: { ...roles, receiver: isSingle ? roles.receiver : '' },
    amount: isSingle ? readNumberAmount(body['amount'] as number) : 0n,
    platformFee: readFee(body['platformFee'] as number),
    milestones: (body['milestones'] as Body[]).map((each) => readMilestone(type, each)),
    flags: NO_FLAGS,
    trustline: usdcContract,
    receiverMemo: 0n,
  };
}

/** Percent in the body, basis points in the contract. */
function readFee(percent: number): number {
  if (percent < 0) throw new ApiRefusal(400, 'platformFee must not be less than 0');
  return Math.round(percent * 100);
}

function readMilestone(type: EscrowType, body: Body): Milestone {
  const isMulti = type === 'multi-release';
  return {
    description: body['description'] as string,
    status: (body['status'] as string | undefined) ?? 'pending',
    evidence: (body['evidence'] as string | undefined) ?? '',
    isApproved: (body['approved'] as boolean | undefined) ?? false,
    amount: isMulti ? readNumberAmount(body['amount'] as number) : 0n,
    receiver: isMulti ? (body['receiver'] as string) : '',
    flags: { ...NO_FLAGS, ...(body['flags'] as object | undefined) },
  };
}

/** Each possible payee must be able to hold USDC; the contract itself does not check. */
function checkHolders(world: World, { roles, milestones }: Escrow): void {
  const receivers = milestones.map(({ receiver }) => receiver);
  for (const holder of new Set([...Object.values(roles), ...receivers])) {
    if (holder === '') continue;
    const account = world.ledger.account(holder);
    if (account === undefined) throw new ApiRefusal(400, `Account not found: ${holder}`);
    if (account.lines[world.ledger.network.usdcKey] === undefined)
      throw new ApiRefusal(400, `The account ${holder} has no trustline for USDC`);
  }
}
