//! Issues a text for a member to sign with the key of a wallet: POST /wallets/challenge.
import type { Call, MemberActor } from '../../platform/call.ts';
import { checkKey } from './connect-wallet.ts';
import type { MemberApp } from './member-auth.ts';
import type { Challenge } from './wallet-challenge.ts';

export async function issueWalletChallenge(
  { members }: MemberApp,
  { actor }: Call<MemberActor>,
  publicKey: string,
): Promise<Challenge> {
  checkKey(publicKey);
  return members.challenge(actor.id, publicKey);
}
