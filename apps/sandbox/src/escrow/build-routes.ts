//! The build routes: the body of each, its signer, and the contract call that it builds.
import { Account, Asset, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { World } from '../world.ts';
import { settingsOf } from './admission.ts';
import { ApiRefusal } from './api-refusal.ts';
import type { Body, Shape } from './body-shape.ts';
import { VENDOR } from './contract-address.ts';
import { address, escrowValue, i128, nothing, sharesValue, text, u32 } from './contract-values.ts';
import { escrowShape, readEscrowBody } from './deploy-escrow.ts';
import type { DeployedEscrow, EscrowType } from './escrow-record.ts';
import type { Share } from './fees.ts';
import { readNumberAmount } from './number-amount.ts';
import { SENTENCES } from './sentences.ts';

export interface BuildRoute {
  readonly types: readonly EscrowType[];
  readonly method?: 'PUT';
  /** After /escrow/{type}/. */
  readonly path: string;
  readonly shape: Shape | ((type: EscrowType) => Shape);
  /** The field that names the wallet which signs. */
  readonly signer: string;
  readonly functionName: string;
  readonly args: (body: Body, record: DeployedEscrow, world: World) => xdr.ScVal[];
}

const BOTH: readonly EscrowType[] = ['single-release', 'multi-release'];
const SINGLE: readonly EscrowType[] = ['single-release'];
const MULTI: readonly EscrowType[] = ['multi-release'];

const CONTRACT: Shape = { contractId: { type: 'contract' } };
const INDEX: Shape = { milestoneIndex: { type: 'text' } };
const SIGNER: Shape = { signer: { type: 'account' } };
const RESOLVER: Shape = {
  disputeResolver: { type: 'account' },
  distributions: {
    type: 'list',
    fields: { address: { type: 'account' }, amount: { type: 'number' } },
  },
};

const vendor = (): xdr.ScVal => address(VENDOR.publicKey());
const named = (body: Body, field: string): xdr.ScVal => address(body[field] as string);
/** The contract declares some of its indexes as i128 and others as u32. */
const wide = (body: Body): xdr.ScVal => i128(BigInt(indexOf(body)));
const narrow = (body: Body): xdr.ScVal => u32(indexOf(body));

// biome-ignore format: a table is the one thing exempt from the line limit.
export const BUILD_ROUTES: readonly BuildRoute[] = [
  { types: BOTH, path: 'fund-escrow', signer: 'signer', functionName: 'fund_escrow',
    shape: { ...CONTRACT, ...SIGNER, amount: { type: 'number' } },
    args: (body, { escrow }) => [named(body, 'signer'), escrowValue(escrow), i128(readNumberAmount(body['amount'] as number))] },
  { types: BOTH, path: 'change-milestone-status', signer: 'serviceProvider', functionName: 'change_milestone_status',
    shape: { ...CONTRACT, ...INDEX, newStatus: { type: 'text', mayBeEmpty: true }, newEvidence: { type: 'text', isOptional: true }, serviceProvider: { type: 'account' } },
    args: (body) => [wide(body), text(body['newStatus'] as string), optional(body['newEvidence']), named(body, 'serviceProvider')] },
  { types: BOTH, path: 'approve-milestone', signer: 'approver', functionName: 'approve_milestone',
    shape: { ...CONTRACT, ...INDEX, approver: { type: 'account' } },
    args: (body) => [wide(body), named(body, 'approver')] },
  { types: SINGLE, path: 'release-funds', signer: 'releaseSigner', functionName: 'release_funds',
    shape: { ...CONTRACT, releaseSigner: { type: 'account' } },
    args: (body) => [named(body, 'releaseSigner'), vendor()] },
  { types: MULTI, path: 'release-milestone-funds', signer: 'releaseSigner', functionName: 'release_milestone_funds',
    shape: { ...CONTRACT, ...INDEX, releaseSigner: { type: 'account' } },
    args: (body) => [named(body, 'releaseSigner'), vendor(), narrow(body)] },
  { types: SINGLE, path: 'dispute-escrow', signer: 'signer', functionName: 'dispute_escrow',
    shape: { ...CONTRACT, ...SIGNER },
    args: (body) => [named(body, 'signer')] },
  { types: MULTI, path: 'dispute-milestone', signer: 'signer', functionName: 'dispute_milestone',
    shape: { ...CONTRACT, ...INDEX, ...SIGNER },
    args: (body) => [wide(body), named(body, 'signer')] },
  { types: SINGLE, path: 'resolve-dispute', signer: 'disputeResolver', functionName: 'resolve_dispute',
    shape: { ...CONTRACT, ...RESOLVER },
    args: (body) => [named(body, 'disputeResolver'), vendor(), sharesOf(body)] },
  { types: MULTI, path: 'resolve-milestone-dispute', signer: 'disputeResolver', functionName: 'resolve_milestone_dispute',
    shape: { ...CONTRACT, ...INDEX, ...RESOLVER },
    args: (body) => [named(body, 'disputeResolver'), narrow(body), vendor(), sharesOf(body)] },
  { types: MULTI, path: 'withdraw-remaining-funds', signer: 'disputeResolver', functionName: 'withdraw_remaining_funds',
    shape: { ...CONTRACT, ...RESOLVER },
    args: (body) => [named(body, 'disputeResolver'), vendor(), sharesOf(body)] },
  { types: BOTH, method: 'PUT', path: 'update-escrow', signer: 'signer', functionName: 'update_escrow',
    shape: (type) => ({ ...CONTRACT, ...SIGNER, escrow: { type: 'object', fields: updateShape(type) } }),
    args: (body, { escrow }, world) => [named(body, 'signer'), escrowValue(readEscrowBody(world, escrow.type, body['escrow'] as Body))] },
  { types: BOTH, path: 'extend-ttl', signer: 'platformAddress', functionName: 'extend_contract_ttl',
    shape: { ...CONTRACT, platformAddress: { type: 'account' }, targetDate: { type: 'text' } },
    args: (body, _, world) => [named(body, 'platformAddress'), u32(ledgersUntil(world, body['targetDate'] as string))] },
];

/** A whole escrow as reads return it, with the fields that a deploy must not name. */
function updateShape(type: EscrowType): Shape {
  const isOptional = true;
  const flag = { type: 'boolean', isOptional } as const;
  const flags: Shape = { approved: flag, disputed: flag, released: flag, resolved: flag };
  const texts: Shape = {
    status: { type: 'text', isOptional },
    evidence: { type: 'text', isOptional, mayBeEmpty: true },
  };
  const approval: Shape =
    type === 'single-release'
      ? { approved: flag }
      : { flags: { type: 'object', isOptional, fields: flags } };
  return {
    ...escrowShape(type, { ...texts, ...approval }),
    isActive: flag,
    receiverMemo: { type: 'number', isOptional },
  };
}

function optional(value: unknown): xdr.ScVal {
  return typeof value === 'string' ? text(value) : nothing();
}

function indexOf(body: Body): number {
  const index = body['milestoneIndex'] as string;
  if (!/^\d{1,3}$/.test(index)) throw new ApiRefusal(400, SENTENCES.milestoneIndex);
  return +index;
}

/** The contract takes a map, so an address can be named once only. */
function sharesOf(body: Body): xdr.ScVal {
  const shares = (body['distributions'] as { address: string; amount: number }[]).map(
    (each): Share => ({ address: each.address, stroops: readNumberAmount(each.amount) }),
  );
  if (new Set(shares.map((share) => share.address)).size < shares.length)
    throw new ApiRefusal(400, 'Duplicate addresses in distributions are not allowed');
  return sharesValue(shares);
}

const LEDGER_SECONDS = 5;

function ledgersUntil(world: World, targetDate: string): number {
  const seconds = (Date.parse(targetDate) - world.clock.now()) / 1000;
  if (!(seconds > 0)) throw new ApiRefusal(400, 'targetDate must be a date in the future');
  return Math.ceil(seconds / LEDGER_SECONDS);
}

export const TRUSTLINE_SHAPE: Shape = {
  address: { type: 'account' },
  assetAddress: { type: 'account' },
};

/** POST /helper/set-trustline: a plain changeTrust, for the account itself to sign. */
export function buildTrustline(world: World, body: Body): string {
  const { ledger } = world;
  const holder = body['address'] as string;
  const source = ledger.account(holder);
  if (source === undefined) throw new ApiRefusal(400, `Account not found: ${holder}`);
  const { closeTime } = ledger.head();
  return new TransactionBuilder(new Account(source.address, String(source.sequence)), {
    fee: '100',
    networkPassphrase: ledger.network.passphrase,
    timebounds: { minTime: 0, maxTime: closeTime + (settingsOf(world).validSeconds ?? 300) },
  })
    .addOperation(
      Operation.changeTrust({ asset: new Asset('USDC', body['assetAddress'] as string) }),
    )
    .build()
    .toXdr();
}
