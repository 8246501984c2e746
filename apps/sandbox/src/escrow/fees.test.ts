import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { feesOf, splitOf } from './fees.ts';

const USDC = 10_000_000n;

describe('a release', () => {
  it('of 100 at 5% leaves 94.70 to the seller, 5.00 to the platform, 0.30 to the vendor', () => {
    const { vendor, platform } = feesOf(100n * USDC, 500);
    assert.equal(platform, 50_000_000n);
    assert.equal(vendor, 3_000_000n);
    assert.equal(100n * USDC - vendor - platform, 947_000_000n);
  });

  it('without a platform fee still pays the vendor', () => {
    assert.deepEqual(feesOf(100n * USDC, 0), { vendor: 3_000_000n, platform: 0n });
  });

  // 0.3% of 333 stroops is 0.999, and 5% is 16.65.
  it('rounds each fee down by itself', () => {
    assert.deepEqual(feesOf(333n, 500), { vendor: 0n, platform: 16n });
    assert.deepEqual(feesOf(334n, 500), { vendor: 1n, platform: 16n });
  });
});

describe('a resolution', () => {
  it('in full returns 94.70 of 100 at 5% to the buyer', () => {
    const { net, vendor, platform } = splitOf([{ address: 'buyer', stroops: 100n * USDC }], 500);
    assert.deepEqual(net, [{ address: 'buyer', stroops: 947_000_000n }]);
    assert.deepEqual([vendor, platform], [3_000_000n, 50_000_000n]);
  });

  it('of 60 to 40 pays 56.82 and 37.88', () => {
    const shares = [
      { address: 'seller', stroops: 60n * USDC },
      { address: 'buyer', stroops: 40n * USDC },
    ];
    const { net } = splitOf(shares, 500);
    assert.deepEqual(
      net.map(({ stroops }) => stroops),
      [568_200_000n, 378_800_000n],
    );
  });

  // Measured by an integrator on the vendor's test network, without a platform fee.
  it('of 1.5 to 0.5 at 0% pays 1.4955 and 0.4985', () => {
    const shares = [
      { address: 'seller', stroops: 15_000_000n },
      { address: 'buyer', stroops: 5_000_000n },
    ];
    const { net } = splitOf(shares, 0);
    assert.deepEqual(
      net.map(({ stroops }) => stroops),
      [14_955_000n, 4_985_000n],
    );
  });

  // One stroop of dust makes the fees indivisible; what rounding leaves must not be paid twice.
  it('pays out exactly what there is, also where nothing divides', () => {
    for (const dust of [1n, 2n, 7n, 9_999n]) {
      const shares = [
        { address: 'seller', stroops: 600_000_000n },
        { address: 'buyer', stroops: 400_000_000n + dust },
      ];
      const { net, vendor, platform } = splitOf(shares, 333);
      const paid = net.reduce((sum, { stroops }) => sum + stroops, vendor + platform);
      assert.equal(paid, 1_000_000_000n + dust);
    }
  });
});
