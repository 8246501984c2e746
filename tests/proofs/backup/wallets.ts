//! Opens every sealed seed of a database with the keys that were kept apart from it.
import pg from 'pg';
import { localKeyWrapper } from '../../../apps/server/src/providers/signing/key-wrapper.ts';
import type { SealedWallet } from '../../../apps/server/src/providers/signing/signer.ts';
import { withKey } from '../../../apps/server/src/providers/signing/wallet-seal.ts';

interface WalletRow {
  readonly id: SealedWallet['id'];
  readonly address: string;
  readonly sealed_seed: Buffer;
  readonly wrapped_key: Buffer;
  readonly key_version: string;
}

export interface Opened {
  readonly wallets: number;
  readonly opened: number;
}

export async function openWallets(databaseUrl: string, keys: string): Promise<Opened> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const columns = 'id, address, sealed_seed, wrapped_key, key_version';
  const { rows } = await client.query<WalletRow>(
    `select ${columns} from house_wallet union all select ${columns} from pooled_wallet
     union all select ${columns} from wallet where status <> 'WANTED'`,
  );
  await client.end();
  const wrapper = localKeyWrapper(keys);
  const results = await Promise.all(rows.map((row) => isOpened(wrapper, row)));
  return { wallets: rows.length, opened: results.filter((isOpen) => isOpen).length };
}

/** A key that opens it is the one of its address: `withKey` compares the two. */
async function isOpened(
  wrapper: ReturnType<typeof localKeyWrapper>,
  { id, address, ...row }: WalletRow,
): Promise<boolean> {
  const wrappedKey = { version: row.key_version, bytes: row.wrapped_key };
  try {
    return await withKey(
      wrapper,
      { id, address, sealedSeed: row.sealed_seed, wrappedKey },
      () => true,
    );
  } catch {
    return false;
  }
}
