import type { UserId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { listHouseWallets } from '../../accounts/custody/house-wallet.ts';
import { findSealedWallet } from '../../accounts/users/wallet.ts';
import { read, transact } from '../../platform/database/transact.ts';
import { stroopsAt, useEscrowWorld } from '../../testing/escrows.ts';
import { auditsOf, usersWith } from '../../testing/mirrored.ts';
import { submit } from '../../testing/parties.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { markMirrorDue } from './due-user.ts';
import { findMirror } from './wallet-mirror.ts';

const { world, market } = useEscrowWorld();

const mirroredUser = async (): Promise<UserId> => {
  const [userId] = (await usersWith(world, market, 1)) as [UserId];
  await world.mirror();
  return userId;
};

const drift = async (userId: UserId, direction: 'more' | 'less', amount: string) => {
  const address = await addressOf(world, userId);
  await world.sandbox.control('POST', '/ledger/drift', {
    ...{ address, asset: 'USDC', amount, direction },
  });
};

const observe = async (userId: UserId) => {
  await transact(world.app, market.call, (tx) => markMirrorDue(tx, userId));
  return world.mirror();
};

const recorded = (userId: UserId) => auditsOf(world, userId, 'MIRROR_DIFFERENCE_RECORDED');
const known = (userId: UserId) =>
  read(world.app, market.call, (tx) => findMirror(tx, userId, 'USDC'));

/** A thief has the wallet's key: a payment without an envelope of ours. */
async function steal(userId: UserId, stroops: bigint): Promise<void> {
  const { network, accountCreator, signer, pool } = world.custody;
  const house = await listHouseWallets(pool);
  // Not a channel: the house would see its number used, and close.
  const carrier = house.find(({ kind }) => kind === 'resolver');
  const platform = house.find(({ kind }) => kind === 'platform');
  const wallet = (await read(world.worker, market.call, (tx) => findSealedWallet(tx, userId)))
    ?.sealed;
  if (!carrier || !platform || !wallet) throw new Error('all are there');
  const account = await network.account(carrier.address);
  const time = await network.closeTime();
  if (account.kind !== 'done' || !account.value || time.kind !== 'done') throw new Error('no');
  const { passphrase, usdcIssuer } = network;
  const unsigned = accountCreator.ownPayments(
    {
      ...{ passphrase, source: carrier.address, feePerOperation: 1000 },
      sequence: account.value.sequence + 1n,
      maxTime: time.value + 60,
    },
    usdcIssuer,
    [{ from: wallet.address, to: platform.address, asset: 'USDC', stroops }],
  );
  const signed = await signer.signOwn(unsigned, [carrier, wallet]);
  if (signed.kind !== 'done') throw new Error(signed.reason);
  await submit(world.sandbox, signed.value.xdr);
}

describe('an unexplained difference', () => {
  it('is recorded when an unsigned payment caused it, then made up for, once', async () => {
    const userId = await mirroredUser();
    await steal(userId, 30_000_000n);
    expect(await observe(userId)).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(100_000_000n);
    expect(await recorded(userId)).toMatchObject([
      { reason: 'the payment was not signed here', after: { amount: '3.0000000' } },
    ]);
    await steal(userId, 10_000_000n);
    await observe(userId);
    await observe(userId);
    expect(await stroopsAt(world, userId)).toBe(100_000_000n);
    expect((await recorded(userId)).map(({ after }) => after['amount'])).toEqual([
      '3.0000000',
      '1.0000000',
    ]);
  });

  it('is recorded without a payment once it was seen repeatedly, then made up for', async () => {
    const userId = await mirroredUser();
    await drift(userId, 'less', '2.5');
    expect(await observe(userId)).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(100_000_000n);
    expect(await recorded(userId)).toMatchObject([
      {
        reason: 'no payment explains what the address holds',
        after: { unexplained: '-2.5000000' },
      },
    ]);
    expect(await known(userId)).toEqual({ mirrored: 100_000_000n, dust: 0n, isMoving: false });
  });

  it('stays where it is when it is an excess, and is recorded once', async () => {
    const userId = await mirroredUser();
    await drift(userId, 'more', '4');
    await observe(userId);
    await observe(userId);
    expect(await stroopsAt(world, userId)).toBe(140_000_000n);
    expect(await recorded(userId)).toMatchObject([{ after: { unexplained: '4.0000000' } }]);
    await debitBalance(world.app, market.call, userId, { amount: '10.00' });
    await world.mirror();
    expect(await stroopsAt(world, userId)).toBe(40_000_000n);
    await creditBalance(world.app, market.call, userId, { amount: '1.00' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(50_000_000n);
    expect((await known(userId)).mirrored).toBe(10_000_000n);
  });

  it('is the user’s once sync has posted it: nothing more is sent for it', async () => {
    const userId = await mirroredUser();
    await drift(userId, 'more', '4');
    await observe(userId);
    const response = await market.send('POST', `/users/${userId}/balance/sync`, { body: {} });
    expect(response.status, response.text).toBe(200);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(140_000_000n);
    expect(await known(userId)).toEqual({ mirrored: 140_000_000n, dust: 0n, isMoving: false });
    await debitBalance(world.app, market.call, userId, { amount: '14.00' });
    await world.mirror();
    expect(await stroopsAt(world, userId)).toBe(0n);
  });
});
