import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import type { SealedWallet } from '../../providers/signing/signer.ts';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { HOUSE, HOUSE_WALLETS } from './house-wallet.ts';
import {
  type Sponsors,
  sponsorAccounts,
  WALLETS_PER_ENVELOPE,
  withSponsors,
} from './sponsor-accounts.ts';

const world = useOpenedEach(openSandboxWorld);

const newWallets = (count: number): Promise<SealedWallet[]> =>
  Promise.all(
    Array.from({ length: count }, () => world.custody.signer.newWallet(newId('wal', Date.now()))),
  );

const sponsor = (
  purpose: string,
  wallets: readonly SealedWallet[],
  changes: Partial<Sponsors> = {},
) =>
  withSponsors(world.custody, purpose, (sponsors) =>
    sponsorAccounts(
      world.custody,
      systemCall(HOUSE),
      purpose,
      { ...sponsors, ...changes },
      wallets,
    ),
  );

it('brings as many wallets to the network as an envelope can carry, once', async () => {
  const wallets = await newWallets(WALLETS_PER_ENVELOPE);
  const purpose = newId('op', Date.now());
  const first = await sponsor(purpose, wallets);
  expect(first).toMatchObject({ kind: 'done' });
  for (const { address } of wallets) {
    expect(await world.custody.network.account(address)).toMatchObject({
      value: { hasUsdcTrustline: true },
    });
  }
  const hash = first?.kind === 'done' ? first.value.hash : '';
  expect(await sponsor(purpose, wallets)).toMatchObject({ kind: 'done', value: { hash } });
});

it('returns unknown while the channel is not on the network', async () => {
  const [outsider] = await newWallets(1);
  const channel = {
    ...(outsider as SealedWallet),
    kind: 'channel',
    number: 9,
    trustedAt: null,
  } as const;
  expect(await sponsor(newId('op', Date.now()), await newWallets(1), { channel })).toMatchObject({
    kind: 'unknown',
  });
});

it('lends each channel to one caller at a time, undefined when none is free', async () => {
  const lent: string[] = [];
  const lendAll = async (): Promise<unknown> =>
    withSponsors(world.custody, newId('op', Date.now()), async ({ channel }) => {
      lent.push(channel.address);
      return lendAll();
    });
  expect(await lendAll()).toBeUndefined();
  expect(new Set(lent).size).toBe(HOUSE_WALLETS.channel);
  expect(lent).toHaveLength(HOUSE_WALLETS.channel);
});

it('takes no channel whose transaction may still take effect, except its own', async () => {
  const channels = await world.rows<{ address: string }>(
    `select address from house_wallet where kind = 'channel'`,
  );
  const own = newId('op', Date.now());
  for (const [at, { address }] of channels.entries())
    await world.rows(
      `insert into envelope (marketplace_id, purpose, attempt, hash, xdr, source, sequence, max_time,
         state, created_at) values (0, $1, 1, $2, '', $3, 1, 1, 'OPEN', now())`,
      [at === 0 ? own : newId('op', Date.now()), `busy ${at}`, address],
    );
  expect(
    await withSponsors(world.custody, newId('op', Date.now()), async () => 'lent'),
  ).toBeUndefined();
  const lent = await withSponsors(world.custody, own, async ({ channel }) => channel.address);
  expect(lent).toBe(channels[0]?.address);
  await world.rows(`delete from envelope where hash like 'busy%'`);
});

it('returns undefined while there is no treasury wallet', async () => {
  await world.rows(`delete from house_wallet where kind = 'treasury'`);
  expect(
    await withSponsors(world.custody, newId('op', Date.now()), async () => 'sponsored'),
  ).toBeUndefined();
});
