//! External holdings of the healthy world, derived from its books: addresses and contracts hold
//! their balances, the payment provider the money that passed it, and the treasury the rest.
import type { Client } from 'pg';
import type { ExternalState } from '../external-state.ts';
import { NETWORK_PAYMENTS } from './payments.ts';

const CAPITAL = { network: 1000, provider: 100 };
/** The fee that the escrow provider took from the one contract that has paid out. */
const PROVIDER_FEE = '0.036';

export async function holdAll(client: Client): Promise<ExternalState> {
  // The mirror has brought the address to its balance in the books.
  await client.query(`update wallet_mirror mirror set stroops = dust_stroops + 100000 * (
    select available + reserved from account where kind = 'user' and owner_id = mirror.user_id)`);
  await client.query(
    `insert into house_capital (place, asset, stroops, reason, recorded_by, recorded_at, is_opening)
     values ('ledger_network', 'USDC', $1::bigint * 10000000, '', 'system', now(), true),
       ('payment_provider', 'USDC', $2::bigint * 10000000, '', 'system', now(), true)`,
    [CAPITAL.network, CAPITAL.provider],
  );
  const { rows } = await client.query<Record<'ann' | 'provider' | 'treasury', string>>(
    `with booked as (
       select kind, owner_id, available + reserved as minor from account where currency <> 'XLM'
       union all select kind, owner_id, delta from house_delta join account on id = account_id)
     select (select stroops / 10000000.0 from wallet_mirror) as ann,
       $2::numeric - (select sum(minor) from booked where kind = 'payment_clearing') / 100.0
         as provider,
       -- All that left or came over the network is what the clearing account lacks.
       $1::numeric - (select sum(minor) from booked where kind = 'network_clearing') / 100.0
         + (select sum(dust_stroops) from wallet_mirror) / 10000000.0 - $3::numeric
         - (select stroops / 10000000.0 from wallet_mirror)
         - (select sum(minor) from booked where kind = 'escrow') / 100.0 as treasury
     from (select 1) one`,
    [CAPITAL.network, CAPITAL.provider, PROVIDER_FEE],
  );
  const [held] = rows;
  if (held === undefined) throw new Error('the world holds nothing');
  const usdc = (address: string, amount: string) => ({ address, asset: 'USDC' as const, amount });
  return {
    payments: NETWORK_PAYMENTS,
    webhooks: [{ provider: 'payment-provider', event: 'whk_paid', body: '{}' }],
    atRest: {
      holdings: [
        usdc('GANN', held.ann),
        usdc('GTREASURY', held.treasury),
        usdc('Cord_under_way', '12'),
        usdc('Cord_moving', '12'),
        { address: 'GTREASURY', asset: 'XLM', amount: '9.99999' },
        // The holding of an external payer is not ours.
        usdc('GSTRANGER', '1000000'),
      ],
      fees: [{ address: 'GTREASURY', stroops: '100' }],
      provider: { balance: held.provider, deposited: String(CAPITAL.provider) },
    },
  };
}
