//! Gets a top-up: GET /topups/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findTopup, type Topup } from './topup.ts';

/** Every operation on a top-up also returns its result through this function. */
export async function getTopup(app: Transactor, call: Call, topupId: TopupId): Promise<Topup> {
  const found = await read(app, call, (tx) => findTopup(tx, topupId));
  return shownTo(call.actor, found ?? refuse('TOPUP_NOT_FOUND', { topupId }));
}
