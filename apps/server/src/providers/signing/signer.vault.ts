//! The signer that opens sealed wallets itself, in the worker: it checks first, then opens, signs
//! and wipes.
import { sign } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import {
  type FeeBumpTransaction,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import type { Log } from '../../platform/process/log.ts';
import type { ContractSettings } from '../escrow/expected-contract-call.ts';
import type { SignedEnvelope } from '../network/envelope.ts';
import { decodeStrKey } from '../network/strkey.ts';
import { done, type Outcome, type Refused, refused } from '../outcome.ts';
import type { KeyWrapper } from './key-wrapper.ts';
import type { SealedWallet, Signer, StepSigning } from './signer.ts';
import {
  checkOwnTransaction,
  checkTransaction,
  contractIdOf,
  type DecodedTransaction,
  type TransactionLimits,
} from './transaction-policy.ts';
import { newWalletSeal, withKey } from './wallet-seal.ts';

export interface SignerSettings extends TransactionLimits, ContractSettings {
  readonly passphrase: string;
  readonly usdcIssuer: string;
  readonly keyWrapper: KeyWrapper;
  readonly log: Log;
}

export function vaultSigner(settings: SignerSettings): Signer {
  const { keyWrapper, passphrase, log } = settings;
  /** An alarm: no honest provider builds such a transaction, and neither do we. */
  const alert = (purpose: string, { code, reason }: Refused) => {
    log.error({ purpose, breach: code, reason }, 'signature refused');
  };
  return {
    newWallet: (id) => newWalletSeal(keyWrapper, id),
    contractIdOf: (envelopeXdr) => contractIdOf(envelopeXdr, passphrase),

    async signStep({ wallet, step, unsignedXdr, now, purpose, feePayer }: StepSigning) {
      const checked = checkTransaction(unsignedXdr, { ...settings, step, now });
      if (checked.kind !== 'done') {
        alert(purpose, checked);
        return checked;
      }
      if (wallet.address !== checked.value.source) {
        return refused('wrong-wallet', 'the step belongs to another wallet');
      }
      await addSignature(keyWrapper, checked.value.transaction, wallet);
      return feePayer === undefined
        ? done(envelopeOf(checked.value))
        : bumpFee(settings, checked.value, feePayer);
    },

    async signOwn(unsignedXdr, wallets) {
      const addresses = wallets.map(({ address }) => address);
      const checked = checkOwnTransaction(unsignedXdr, passphrase, addresses, settings);
      if (checked.kind !== 'done') {
        alert('own', checked);
        return checked;
      }
      for (const wallet of wallets) {
        await addSignature(keyWrapper, checked.value.transaction, wallet);
      }
      return done(envelopeOf(checked.value));
    },
  };
}

async function addSignature(
  keyWrapper: KeyWrapper,
  transaction: Transaction | FeeBumpTransaction,
  wallet: SealedWallet,
): Promise<void> {
  const hash = transaction.hash();
  // The key is known to be that of the address. The SDK's own `addSignature` would verify what was
  // just signed, in JavaScript: a hundred times the price of the signature.
  const signature = await withKey(keyWrapper, wallet, (key) => sign(null, hash, key));
  const publicKey = decodeStrKey('account', wallet.address);
  assert(publicKey !== undefined, 'a wallet has an address of the network');
  const hint = Buffer.from(publicKey.subarray(-HINT_BYTES));
  transaction.addDecoratedSignature(new xdr.DecoratedSignature({ hint, signature }));
}

/** The last bytes of a public key match a signature to its signer. */
const HINT_BYTES = 4;

function envelopeOf({
  transaction,
  hash,
  source,
  sequence,
  maxTime,
}: DecodedTransaction): SignedEnvelope {
  return { hash, innerHash: null, xdr: transaction.toXdr(), source, sequence, maxTime };
}

const BASE_FEE_MIN = 100n;

/** Another wallet pays the fee, under a signature and a hash of its own. */
async function bumpFee(
  { keyWrapper, passphrase, maxFeeStroops }: SignerSettings,
  inner: DecodedTransaction,
  feePayer: SealedWallet,
): Promise<Outcome<SignedEnvelope>> {
  const inclusion = inner.feeStroops - inner.resourceFeeStroops;
  const baseFee = inclusion > BASE_FEE_MIN ? inclusion : BASE_FEE_MIN;
  const bump = TransactionBuilder.buildFeeBumpTransaction(
    feePayer.address,
    String(baseFee),
    inner.transaction,
    passphrase,
  );
  if (BigInt(bump.fee) > maxFeeStroops) {
    return refused('fee', `the fee of ${bump.fee} for carrying it is too high`);
  }
  await addSignature(keyWrapper, bump, feePayer);
  return done({
    ...envelopeOf(inner),
    hash: Buffer.from(bump.hash()).toString('hex'),
    innerHash: inner.hash,
    xdr: bump.toXdr(),
  });
}
