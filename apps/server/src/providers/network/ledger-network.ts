//! The interface of the public ledger network.
import type { Instant } from '@holdfast/kernel/clock';
import type { Outcome } from '../outcome.ts';
import type { PersistedEnvelope } from './envelope.ts';
import type { NetworkTransaction } from './network-transaction.ts';

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
  /** It is shared by many, as those of exchanges are: a payment without a memo is lost there. */
  readonly requiresMemo: boolean;
  /** XLM that is not tied up in reserves, in stroops. */
  readonly spendableXlm: bigint;
}

/** The state of a transaction, by its hash. */
export type TransactionStatus =
  | {
      readonly status: 'applied';
      readonly ledger: number;
      readonly appliedAt: Instant;
      readonly resultXdr: string | undefined;
    }
  | { readonly status: 'failed'; readonly code: string }
  | { readonly status: 'absent' };

export interface NetworkPayment {
  /** Unique for ever: a credit is keyed by it, together with the part. */
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

/** A page of the network's payments, in their order. */
export interface PaymentFeedPage {
  readonly payments: readonly NetworkPayment[];
  /** Behind the last record, payment or not; the old cursor when there was none. */
  readonly cursor: string;
  /** There may be more behind it. */
  readonly isFull: boolean;
}

/** Those of the addresses that are ours. */
export type OwnAddresses = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

export interface LedgerNetwork {
  readonly passphrase: string;
  readonly usdcIssuer: string;
  /** Null when the network says that there is no such account. */
  account(address: string): Promise<Outcome<NetworkAccount | null>>;
  /** Sends a stored envelope. Only a repeat of the same envelope is safe. */
  send(envelope: PersistedEnvelope): Promise<Outcome<TransactionStatus>>;
  findTransaction(hash: string): Promise<Outcome<TransactionStatus>>;
  /** Those of an account, failed ones too, newest first, below a cursor. */
  transactions(
    account: string,
    page: { cursor: string | undefined; limit: number },
  ): Promise<Outcome<readonly NetworkTransaction[]>>;
  /**
   * The hashes of the transaction that used a sequence number of an account: its own and, for a fee
   * bump, that of its inner transaction. None when no such transaction is shown.
   */
  usersOf(source: string, sequence: bigint): Promise<Outcome<readonly string[]>>;
  /**
   * The contract that an applied transaction created, as the network returns it; null when it does
   * not. Never trusted by itself: the signed transaction determines the contract.
   */
  createdContract(hash: string): Promise<Outcome<string | null>>;
  /** The network's own time, in seconds: time bounds are compared with it. */
  closeTime(): Promise<Outcome<number>>;
  /** A page of the payments of an address, newest first, or oldest first after a cursor. */
  payments(
    address: string,
    page: { cursor?: string; limit: number; order: 'asc' | 'desc' },
  ): Promise<Outcome<NetworkPayment[]>>;
  /**
   * The transfers of one transaction, contracts' transfers included. Null when there is no such
   * transaction.
   */
  paymentsOf(hash: string): Promise<Outcome<readonly NetworkPayment[] | null>>;
  /**
   * The payments of all accounts after a cursor, oldest first: each transfer once. A merge of an
   * account is one only if it is into an address of `own`: the amount of each costs a request.
   */
  paymentsSince(
    cursor: string,
    limit: number,
    own: OwnAddresses,
  ): Promise<Outcome<PaymentFeedPage>>;
}
