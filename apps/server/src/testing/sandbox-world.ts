//! A test world with the sandbox as its providers: wallets are created, the house has money.

import type { UserId } from '@holdfast/kernel/ids';
import { fillWalletPool } from '../accounts/custody/fill-wallet-pool.ts';
import { openHouseWallets } from '../accounts/custody/open-house-wallets.ts';
import { createWallets } from '../accounts/users/create-wallets.ts';
import { type Custody, wireCustody } from '../app/wire-worker.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { openWorld, type World } from './world.ts';

export interface SandboxWorld extends World {
  readonly sandbox: Sandbox;
  readonly custody: Custody;
  /** Runs the jobs that create wallets until none is missing and the pool is full. */
  runWorker(): Promise<void>;
}

export async function openSandboxWorld(env: Record<string, string> = {}): Promise<SandboxWorld> {
  const sandbox = await openSandbox();
  const world = await openWorld({ env: { ...environmentOf(sandbox), ...env } });
  const custody = wireCustody(world.worker.config, world.worker);
  if (custody === undefined) throw new Error('the sandbox gives all that custody needs');
  await openHouseWallets(custody);
  for (const row of await world.rows<{ address: string }>('select address from house_wallet')) {
    await sandbox.fund(row.address, '100000');
  }
  await openHouseWallets(custody);
  const [treasury] = await world.rows<{ address: string }>(
    `select address from house_wallet where kind = 'treasury'`,
  );
  await sandbox.deposit(treasury?.address ?? '', 'USDC', '1000000');
  return {
    ...world,
    sandbox,
    custody,
    runWorker: async () => {
      while ((await createWallets(custody)) + (await fillWalletPool(custody)) > 0);
    },
    close: async () => {
      await world.close();
      await sandbox.stop();
    },
  };
}

/** The user's own address on the network. */
export async function addressOf(world: World, userId: UserId): Promise<string> {
  const [row] = await world.rows<{ address: string }>(
    'select address from wallet where user_id = $1',
    [userId],
  );
  return row?.address ?? '';
}

function environmentOf({
  url,
  passphrase,
  usdcIssuer,
  contracts,
}: Sandbox): Record<string, string> {
  return {
    HOLDFAST_SANDBOX_URL: url,
    HOLDFAST_HORIZON_URL: `${url}/horizon`,
    HOLDFAST_RPC_URL: `${url}/rpc`,
    HOLDFAST_NETWORK_PASSPHRASE: passphrase,
    HOLDFAST_USDC_ISSUER: usdcIssuer,
    HOLDFAST_WALLET_KEYS: `v1:${Buffer.alloc(32, 7).toString('base64')}`,
    HOLDFAST_ESCROW_PROVIDER_URL: `${url}/escrow-provider`,
    HOLDFAST_ESCROW_PROVIDER_KEY: 'key',
    // Only some tests set a pool; in all others a wallet is created after its user.
    HOLDFAST_SPARE_WALLETS: '0',
    HOLDFAST_ESCROW_FACTORY: contracts.factory,
    HOLDFAST_ESCROW_WASM_SINGLE: contracts.wasmHashes['single-release'],
    HOLDFAST_ESCROW_WASM_MULTI: contracts.wasmHashes['multi-release'],
    HOLDFAST_PAYMENT_PROVIDER_URL: `${url}/payment-provider/v2`,
    HOLDFAST_PAYMENT_PROVIDER_KEY: 'key',
    HOLDFAST_PAYMENT_PROVIDER_SECRET: 'secret',
    HOLDFAST_CHECKOUT_URL: `${url}/payin/{id}`,
  };
}
