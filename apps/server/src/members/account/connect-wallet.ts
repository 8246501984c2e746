//! Connects a wallet that a member has elsewhere: POST /wallets/connect.
import { refuse } from '@holdfast/contract/errors';
import type { Call, MemberActor } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { isAccountAddress } from '../../providers/network/strkey.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { linkWallet, type WalletLink } from './member.ts';
import type { MemberApp } from './member-auth.ts';

export interface WalletInput {
  readonly public_key: string;
  readonly challenge?: string;
  readonly signature?: string;
}

export async function connectWallet(
  app: MemberApp,
  call: Call<MemberActor>,
  { public_key: publicKey, challenge, signature }: WalletInput,
): Promise<WalletLink> {
  checkKey(publicKey);
  const isProven = challenge !== undefined || signature !== undefined;
  if (isProven) {
    const proof = { challenge: challenge ?? '', signature: signature ?? '' };
    if (!app.members.isProof(call.actor.id, publicKey, proof)) refuse('WALLET_PROOF_INVALID', {});
  }
  return transact(app, call, async (tx) => {
    const { link, isNew } = await linkWallet(tx, call.actor.id, publicKey, isProven);
    if (isNew || isProven)
      await audit(tx, {
        action: 'WALLET_CONNECTED',
        resourceId: call.actor.id,
        after: { publicKey, isProven: link.provenAt !== null },
      });
    return link;
  });
}

/** Checks the checksum too, so that a typing mistake is found before money is gone. */
export function checkKey(publicKey: string): void {
  if (!isAccountAddress(publicKey)) refuse('INVALID_PUBLIC_KEY', {});
}
