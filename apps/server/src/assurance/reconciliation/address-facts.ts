//! Reads an address together with everything that explains its balance, so that the two can be
//! compared.
import type { UserId } from '@holdfast/kernel/ids';
import { findUncredited } from '../../payments/deposits/address-deposits.ts';
import { bookedStroops, findMirror } from '../../payments/mirror/wallet-mirror.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import { type AddressState, isExplained } from '../comparison/compare-address.ts';

export interface AddressReader extends Transactor {
  readonly network: LedgerNetwork;
}

export interface AddressFacts extends AddressState {
  readonly userId: UserId;
  /** Paid by external payers and not credited yet. */
  readonly uncredited: bigint;
}

/** The part of the facts that our own side holds. */
export type OurFacts = Pick<AddressState, 'booked' | 'mirrored' | 'dust' | 'isMoving'>;

export interface WhichAddress {
  readonly userId: UserId;
  readonly address: string;
  readonly currency: AddressState['currency'];
}

const TRIES_MAX = 4;
const PAGES_MAX = 2;

/**
 * The books are read before and after the network. A change in between means that money was moving,
 * and the address is read again. An address that never settles counts as moving.
 */
export async function readAddressFacts(
  app: AddressReader,
  call: Call,
  which: WhichAddress,
): Promise<Outcome<AddressFacts>> {
  for (let tries = 1; ; tries += 1) {
    const ours = await read(app, call, (tx) => findOurFacts(tx, which));
    const actual = await stroopsAt(app, which);
    if (actual.kind !== 'done') return actual;
    const facts = { ...which, ...ours, actual: actual.value, uncredited: 0n };
    if (isExplained(facts)) return done(facts);
    const found = await findUncredited(app, which.address, PAGES_MAX);
    if (found.kind !== 'done') return found;
    const after = await read(app, call, (tx) => findOurFacts(tx, which));
    const uncredited = found.value
      .filter(({ asset }) => asset === which.currency)
      .reduce((sum, { stroops }) => sum + stroops, 0n);
    if (hasStoodStill(ours, after)) return done({ ...facts, uncredited });
    if (tries === TRIES_MAX) return done({ ...facts, isMoving: true });
  }
}

export async function findOurFacts(tx: Tx, which: WhichAddress): Promise<OurFacts> {
  const { userId, currency } = which;
  const booked = await bookedStroops(tx, userId, currency);
  return { booked, ...(await findMirror(tx, userId, currency)) };
}

/** A move within the books changes nothing at the address. */
export function hasStoodStill(before: OurFacts, after: OurFacts): boolean {
  return before.mirrored === after.mirrored && before.dust === after.dust && !after.isMoving;
}

/** An account that does not exist holds nothing. */
async function stroopsAt(
  { network }: AddressReader,
  { address, currency }: WhichAddress,
): Promise<Outcome<bigint>> {
  const found = await network.account(address);
  if (found.kind !== 'done') return found;
  return done(found.value?.assets.find(({ code }) => code === currency)?.stroops ?? 0n);
}

/** All in stroops: difference = inFlight − dust − unexplained. */
export interface Explanation {
  /** The amount by which the books exceed the address. */
  readonly difference: bigint;
  readonly inFlight: bigint;
  /** The amount that the address holds beyond all explanation; negative when it lacks that. */
  readonly unexplained: bigint;
}

export function explain(facts: AddressFacts): Explanation {
  const { booked, dust, mirrored, uncredited } = facts;
  const difference = booked - facts.actual;
  const actual = facts.actual - uncredited;
  const unexplained = isExplained({ ...facts, actual }) ? 0n : actual - mirrored;
  return { difference, unexplained, inFlight: difference + dust + unexplained };
}
