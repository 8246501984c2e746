//! The interface of the signer. Keys never leave it, and it signs only the intended transaction.
import type { WalletId } from '@holdfast/kernel/ids';
import type { EscrowStep } from '../escrow/escrow-provider.ts';
import type { SignedEnvelope } from '../network/envelope.ts';
import type { OwnPayment, OwnTransaction } from '../network/own-transaction.ts';
import type { Outcome } from '../outcome.ts';
import type { WrappedKey } from './key-wrapper.ts';

/** A wallet as it rests in the database: useless without the key-encryption key. */
export interface SealedWallet {
  readonly id: WalletId;
  readonly address: string;
  readonly sealedSeed: Buffer;
  readonly wrappedKey: WrappedKey;
}

export interface StepSigning {
  /** The wallet of the step: its address is the signer that the step names. */
  readonly wallet: SealedWallet;
  /** The intended step. The transaction must be exactly this and nothing else. */
  readonly step: EscrowStep;
  /** As the escrow provider built it. */
  readonly unsignedXdr: string;
  /** Ledger close time in Unix seconds, read after the building: the time bound counts from it. */
  readonly now: number;
  /** The envelope's purpose, for the log. */
  readonly purpose: string;
  /** Pays the network's fee, so that the signing wallet needs no XLM. */
  readonly feePayer?: SealedWallet;
}

export interface Signer {
  /** A new key, sealed before any other code has seen it. */
  newWallet(id: WalletId): Promise<SealedWallet>;
  /**
   * Signs the escrow provider's transaction, if it is the step and nothing else. A refusal names
   * the difference. It is logged as an alarm, since no honest provider builds such a transaction.
   */
  signStep(signing: StepSigning): Promise<Outcome<SignedEnvelope>>;
  /** Signs a transaction that we built ourselves, with every wallet that it needs and no other. */
  signOwn(unsignedXdr: string, wallets: readonly SealedWallet[]): Promise<Outcome<SignedEnvelope>>;
  /** The address of a contract, known from its deployment, built or signed, before that is sent. */
  contractIdOf(envelopeXdr: string): string | undefined;
}

/**
 * Builds transactions of our own: in the worker, beside the signer, since both need the library.
 */
export interface AccountCreator {
  sponsoredAccounts(
    transaction: OwnTransaction,
    sponsor: string,
    usdcIssuer: string,
    addresses: readonly string[],
  ): string;
  /** Lets the source hold USDC. */
  usdcTrustline(transaction: OwnTransaction, usdcIssuer: string): string;
  /** Payments between wallets: all take effect, or none. */
  ownPayments(
    transaction: OwnTransaction,
    usdcIssuer: string,
    payments: readonly OwnPayment[],
  ): string;
}
