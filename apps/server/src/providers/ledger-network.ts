//! What we need of the public ledger network.
import type { Instant } from '@holdfast/kernel/clock';
import type { PersistedEnvelope } from './envelope.ts';
import type { Outcome } from './outcome.ts';

export interface NetworkAsset {
  readonly code: 'XLM' | 'USDC';
  /** In stroops: seven places, as the network counts. */
  readonly stroops: bigint;
}

export interface NetworkAccount {
  readonly address: string;
  readonly sequence: bigint;
  readonly assets: readonly NetworkAsset[];
  readonly hasUsdcTrustline: boolean;
}

/** What became of a transaction, by its hash. */
export type NetworkFate =
  | {
      readonly fate: 'applied';
      readonly ledger: number;
      readonly appliedAt: Instant;
      readonly resultXdr: string | undefined;
    }
  | { readonly fate: 'failed'; readonly code: string }
  | { readonly fate: 'absent' };

export interface NetworkPayment {
  /** Unique for ever: what a credit is keyed by, together with the part. */
  readonly operationId: string;
  /** Which of the operation's transfers: a contract can make many. */
  readonly part: number;
  readonly cursor: string;
  readonly hash: string;
  readonly at: Instant;
  readonly from: string;
  readonly to: string;
  readonly asset: NetworkAsset['code'] | 'other';
  readonly stroops: bigint;
  /** `contract`: money that a contract sent, such as an escrow's release. */
  readonly by: 'payment' | 'contract';
}

/** So much of the network's payments, in their order. */
export interface PaymentFeedPage {
  readonly payments: readonly NetworkPayment[];
  /** Behind the last record, whether it was a payment or not; the old one when there was none. */
  readonly cursor: string;
  /** There may be more behind it. */
  readonly isFull: boolean;
}

export interface LedgerNetwork {
  readonly passphrase: string;
  readonly usdcIssuer: string;
  /** Null when the network says that there is no such account. */
  account(address: string): Promise<Outcome<NetworkAccount | null>>;
  /** Sends an envelope that is written down. Sending the same again is safe; nothing else is. */
  send(envelope: PersistedEnvelope): Promise<Outcome<NetworkFate>>;
  lookUp(hash: string): Promise<Outcome<NetworkFate>>;
  /**
   * The hashes of the transaction that used a number of an account: its own and, of one that pays
   * another's fee, that of what it carries. None when no such transaction is shown.
   */
  usersOf(source: string, sequence: bigint): Promise<Outcome<readonly string[]>>;
  /**
   * The contract that an applied transaction says it made; null when it does not say. Never
   * believed by itself: what was signed tells which contract it must be.
   */
  createdContract(hash: string): Promise<Outcome<string | null>>;
  /** The network's own time, in seconds: what time bounds are compared with. */
  closeTime(): Promise<Outcome<number>>;
  /** A page of what an address sent and received, newest first, or oldest first after a cursor. */
  payments(
    address: string,
    page: { cursor?: string; limit: number; order: 'asc' | 'desc' },
  ): Promise<Outcome<NetworkPayment[]>>;
  /** What one transaction moved, contracts' transfers among it. Null when there is none by it. */
  paymentsOf(hash: string): Promise<Outcome<readonly NetworkPayment[] | null>>;
  /** Everybody's payments after a cursor, oldest first: each transfer once, whosever it is. */
  paymentsSince(cursor: string, limit: number): Promise<Outcome<PaymentFeedPage>>;
}
