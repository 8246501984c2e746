//! Lists the wallets that a member has connected: GET /wallets.
import type { Call, MemberActor } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { listWalletLinks, type WalletLink } from './member.ts';

export async function listWallets(app: Transactor, call: Call<MemberActor>): Promise<WalletLink[]> {
  return read(app, call, (tx) => listWalletLinks(tx, call.actor.id));
}
