//! The two fees on each payment, to the stroop: the vendor's 0.3% and the platform's own.
const WHOLE = 10_000n;
const VENDOR_FEE = 30n;

export interface Fees {
  readonly vendor: bigint;
  readonly platform: bigint;
}

/** Both are rounded down, each by itself. */
export function feesOf(total: bigint, platformFee: number): Fees {
  return {
    vendor: (total * VENDOR_FEE) / WHOLE,
    platform: (total * BigInt(platformFee)) / WHOLE,
  };
}

export interface Share {
  readonly address: string;
  readonly stroops: bigint;
}

/**
 * Each share bears its part of both fees, rounded down. The fees that are paid are the sums of
 * those parts, so that nothing is left over and nothing is missing.
 */
export function splitOf(shares: readonly Share[], platformFee: number): Fees & { net: Share[] } {
  const total = shares.reduce((sum, { stroops }) => sum + stroops, 0n);
  const fees = feesOf(total, platformFee);
  let [vendor, platform] = [0n, 0n];
  const net = shares.map(({ address, stroops }) => {
    const vendorPart = (stroops * fees.vendor) / total;
    const platformPart = (stroops * fees.platform) / total;
    vendor += vendorPart;
    platform += platformPart;
    return { address, stroops: stroops - vendorPart - platformPart };
  });
  return { vendor, platform, net };
}
