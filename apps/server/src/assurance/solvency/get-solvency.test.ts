//! Tests access to solvency: the whole for the master key and platform admins, its own part for a
//! key or an operator of a marketplace.
import { OPERATOR_ROLES } from '@holdfast/contract/enums';
import { beforeEach, describe, expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { transact } from '../../platform/database/transact.ts';
import { desk, deskOf, person } from '../../testing/operators.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';
import { getSolvency } from './get-solvency.ts';
import type { AssetPosition } from './house-position.ts';
import { insertReading } from './solvency-reading.ts';
import { solvencyOf } from './solvency-terms.ts';

const world = useOpenedEach(openWorld);
const market = useOpenedEach(() => world.market());

describe('before the first reading', () => {
  it('returns a key its own part only', async () => {
    const other = await world.market();
    await creditBalance(world.app, other.call, await other.user(), { amount: '7.00' });
    await creditBalance(world.app, market.call, await market.user(), { amount: '3.00' });
    const { reading, parts } = await getSolvency(world.app, market.call);
    expect(reading).toBeUndefined();
    expect(parts?.[0]).toMatchObject({
      asset: 'USDC',
      users: 3_0000000n,
      owed: 3_0000000n,
      adjustmentsOwed: 3_0000000n,
      paidIn: 0n,
      deposited: 0n,
    });
  });

  it('returns no sums of the deployment, and to the master key no part', async () => {
    const own = await market.send('GET', '/solvency');
    expect(own.json.data.data).toMatchObject({ status: 'UNSETTLED', deployment: null });
    expect(own.json.data.data.marketplace).toHaveLength(2);
    const whole = await world.send('GET', '/solvency', { key: world.masterKey });
    expect(whole.json.data.data).toMatchObject({ takenAt: null, marketplace: null });
  });
});

/** A distinctive number, so that one search finds it anywhere in a response. */
const TREASURY = 987_654_3210000n;

const position: AssetPosition = {
  booked: {},
  mirrored: { stroops: 0n, dust: 0n, moving: 0n, lacking: 0n },
  moving: 0n,
  providerFees: 0n,
  capital: { ledger_network: TREASURY, payment_provider: 0n },
  unconfirmed: 0n,
  isOpened: { ledger_network: true, payment_provider: true },
};
const fetched = {
  paymentProvider: 0n,
  treasury: TREASURY,
  spendable: 0n,
  platform: 0n,
  inFlightAtProvider: 0n,
};

describe('the sums of the deployment', () => {
  beforeEach(async () => {
    const groups = [solvencyOf('USDC', position, fetched, 0n)];
    const status = 'BALANCED';
    const reading = { takenAt: 1, status, groups, addressesRead: 0, addressesKnown: 0 } as const;
    await transact(world.worker, market.call, (tx) => insertReading(tx, reading));
  });

  const whole = {
    status: 'BALANCED',
    marketplace: null,
    deployment: {
      groups: [{ asset: 'USDC', assets: { treasury: '987654.3210000' }, tolerance: '0.0000000' }],
    },
  };

  it('are seen by the master key, and by a platform admin who names no marketplace', async () => {
    const { json } = await world.send('GET', '/solvency', { key: world.masterKey });
    expect(json.data.data).toMatchObject(whole);
    const platformAdmin = await desk(world, { isPlatformAdmin: true });
    const seen = await platformAdmin.send('GET', '/solvency');
    expect(seen.json.data.data).toMatchObject(whole);
    expect((await platformAdmin.send('GET', '/solvency/history')).status).toBe(200);
  });

  it('are seen by no key and no role, nor by a platform admin at work in a marketplace', async () => {
    const { id: marketplaceId } = market;
    const inside = await Promise.all([
      ...OPERATOR_ROLES.map((role) => desk(world, { marketplaceId, role })),
      desk(world, { marketplaceId, role: 'admin', isPlatformAdmin: true }),
    ]);
    for (const caller of [market, ...inside]) {
      const { status, text, json } = await caller.send('GET', '/solvency');
      expect(status).toBe(200);
      expect(json.data.data).toMatchObject({ deployment: null, pauseReason: null });
      expect(json.data.data.marketplace).toHaveLength(2);
      expect(text).not.toContain('987654');
    }
  });

  it('are not returned when the marketplace is left out or another one is named', async () => {
    const admin = await deskOf(
      world,
      await person(world, { marketplaceId: market.id, role: 'admin' }),
    );
    for (const path of ['/solvency', '/solvency/history']) {
      const { status, json } = await admin.send('GET', path);
      expect([status, json.error.code]).toEqual([403, 'OPERATOR_ROLE_REQUIRED']);
    }
    const { id: other } = await world.market();
    const outsider = await desk(world, { isPlatformAdmin: true });
    const headers = { 'x-holdfast-marketplace': other };
    const { json } = await outsider.send('GET', '/solvency', { headers });
    expect(json.error.code).toBe('MARKETPLACE_NOT_FOUND');
  });
});
