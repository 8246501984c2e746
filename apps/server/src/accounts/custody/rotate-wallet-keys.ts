//! Re-wraps the data keys of all wallets with the current key-encryption key. Seeds and addresses
//! do not change, and both key versions can be read while it runs. Safe to stop and repeat.
import { assert } from '@holdfast/kernel/assert';
import type pg from 'pg';
import type { KeyWrapper } from '../../providers/signing/key-wrapper.ts';
import { checkSeesAll, listWalletKeys, replaceWalletKey } from './wallet-key.ts';

/**
 * A pooled wallet that a user takes meanwhile is found among the users' wallets; there cannot be
 * many in a row.
 */
const IDLE_ROUNDS_MAX = 20;

export async function rotateWalletKeys(owner: pg.Pool, wrapper: KeyWrapper): Promise<number> {
  await checkSeesAll(owner);
  let rotated = 0;
  let idleRounds = 0;
  for (;;) {
    const old = await listWalletKeys(owner, wrapper.currentVersion);
    if (old.length === 0) return rotated;
    const before = rotated;
    for (const key of old) {
      const context = `${key.id}|${key.address}`;
      const dataKey = await wrapper.unwrap(key.wrapped, context);
      const wrapped = await wrapper.wrap(dataKey, context);
      dataKey.fill(0);
      if (await replaceWalletKey(owner, key, wrapped)) rotated += 1;
    }
    idleRounds = rotated > before ? 0 : idleRounds + 1;
    assert(idleRounds < IDLE_ROUNDS_MAX, 'rounds that replace nothing would never end');
  }
}
