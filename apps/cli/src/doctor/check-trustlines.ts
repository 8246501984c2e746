//! Can every wallet of the house hold USDC?
import { shortText } from '../terminal/words.ts';
import { type Check, faulty, fine, reasonOf, skipped } from './check.ts';

interface HouseWallet {
  readonly kind: string;
  readonly address: string;
}

interface Line {
  readonly asset_code?: string;
  readonly asset_issuer?: string;
}

const ANSWER_MS_MAX = 5000;

export const checkTrustlines: Check = {
  name: 'trustlines',
  needsServer: false,
  async look({ database, settings }) {
    const { HOLDFAST_HORIZON_URL: horizon, HOLDFAST_USDC_ISSUER: issuer } = settings;
    if (database === undefined || !horizon || !issuer)
      return skipped('needs the database, HOLDFAST_HORIZON_URL and HOLDFAST_USDC_ISSUER');
    // A channel only lends its sequence numbers.
    const wallets = await database
      .query<HouseWallet>(
        "select kind, address from house_wallet where kind <> 'channel' order by kind, number",
      )
      .catch(() => []);
    if (wallets.length === 0) return skipped('the house has no wallets yet: start a worker');
    try {
      const lacking: string[] = [];
      for (const { kind, address } of wallets) {
        const why = await whyWithout(horizon, address, issuer);
        if (why !== undefined) lacking.push(`the ${kind} ${shortText(address, 12)} ${why}`);
      }
      if (lacking.length === 0) return fine(`${wallets.length} wallets of the house trust USDC`);
      return faulty(
        'missing-trustline',
        lacking.join('; '),
        'send XLM to that address: the worker then opens its trustline within a minute',
      );
    } catch (error) {
      return faulty(
        'provider-down',
        `the ledger network does not answer at ${horizon}: ${reasonOf(error)}`,
        'correct HOLDFAST_HORIZON_URL, or wait until the network answers',
      );
    }
  },
};

async function whyWithout(
  horizon: string,
  address: string,
  issuer: string,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const answer = await fetch(`${horizon}/accounts/${address}`, { signal });
  if (answer.status === 404) return 'does not exist on the network';
  if (!answer.ok) throw new Error(`it answers ${answer.status}`);
  const { balances = [] } = (await answer.json()) as { balances?: readonly Line[] };
  const isTrusting = balances.some(
    (line) => line.asset_code === 'USDC' && line.asset_issuer === issuer,
  );
  return isTrusting ? undefined : 'has no trustline for USDC';
}
