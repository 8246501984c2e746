//! Checks that every platform wallet can hold USDC.
import { type Check, faulty, fine, reasonOf, skipped } from './check.ts';

interface HouseWallet {
  readonly kind: string;
  readonly address: string;
}

interface Line {
  readonly asset_code?: string;
  readonly asset_issuer?: string;
}

const RESPONSE_TIMEOUT_MS = 5000;

export const checkTrustlines: Check = {
  name: 'trustlines',
  needsServer: false,
  async run({ database, settings }) {
    const { HOLDFAST_HORIZON_URL: horizon, HOLDFAST_USDC_ISSUER: issuer } = settings;
    if (database === undefined || !horizon || !issuer)
      return skipped('requires the database, HOLDFAST_HORIZON_URL and HOLDFAST_USDC_ISSUER');
    // A channel only lends its sequence numbers.
    const wallets = await database
      .query<HouseWallet>(
        "select kind, address from house_wallet where kind <> 'channel' order by kind, number",
      )
      .catch(() => []);
    if (wallets.length === 0)
      return skipped('no platform wallets yet; start a worker with `holdfast worker`');
    try {
      const lacking: string[] = [];
      for (const { kind, address } of wallets) {
        const why = await whyWithout(horizon, address, issuer);
        if (why !== undefined) lacking.push(`the ${kind} wallet ${address} ${why}`);
      }
      if (lacking.length === 0)
        return fine(`${wallets.length} platform wallets have a USDC trustline`);
      return faulty(
        'missing-trustline',
        lacking.join('; '),
        `send XLM to ${lacking.length === 1 ? 'this address' : 'these addresses'}; the worker then creates the missing trustlines within a minute`,
      );
    } catch (error) {
      return faulty(
        'provider-down',
        `the Stellar network does not respond at ${horizon}: ${reasonOf(error)}`,
        'correct HOLDFAST_HORIZON_URL, or wait until the Stellar network responds',
      );
    }
  },
};

async function whyWithout(
  horizon: string,
  address: string,
  issuer: string,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  const response = await fetch(`${horizon}/accounts/${address}`, { signal });
  if (response.status === 404) return 'does not exist on the Stellar network';
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { balances = [] } = (await response.json()) as { balances?: readonly Line[] };
  const isTrusting = balances.some(
    (line) => line.asset_code === 'USDC' && line.asset_issuer === issuer,
  );
  return isTrusting ? undefined : 'has no USDC trustline';
}
