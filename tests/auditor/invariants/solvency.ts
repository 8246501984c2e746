//! S1: what is there is what is owed, to the stroop. The books are read by SQL, the rest outside:
//! what addresses, contracts and the payment provider hold, what strangers gave the house, and what
//! the escrow provider kept of contracts.
import { type Check, findAll, type Invariant, skip } from '../invariant.ts';
import {
  type AtRest,
  FEES,
  HOLDINGS,
  NOT_AT_REST,
  type Outside,
  OWN,
  PAYMENTS,
} from '../outside.ts';

const CLAIMS = {
  equation: 'per asset, all that is owed and the capital is all that is there, to the stroop',
  provider: 'the payment provider holds what the books have there, and what the house put in',
  capital: 'the USDC that the house has noted as put in is what it was given',
};

/** USD and USDC are both backed by USDC. In units. */
const BOOKED = `
  select case account.currency when 'XLM' then 'XLM' else 'USDC' end as asset, account.kind,
    sum(part.minor) / 100.0 as amount
  from (select id as account_id, available + reserved as minor from account
    union all select account_id, delta from house_part) part
  join account on account.id = part.account_id group by 1, 2`;
const booked = (...kinds: readonly string[]) => `coalesce((select sum(amount) from booked
  where booked.asset = wanted.asset and kind in ('${kinds.join("', '")}')), 0)`;

const PLACES = `select address, place from ${OWN}`;
const held = (place: string) => `coalesce((select sum(held.amount) from ${HOLDINGS(5)}
  join places using (address) where held.asset = wanted.asset and place = '${place}'), 0)`;

/** What went between the house and strangers, and out of contracts to strangers. */
const FLOWS = `
  select paid.asset, coalesce(giver.place, 'stranger') as "from",
    coalesce(taker.place, 'stranger') as "to", paid.amount
  from ${PAYMENTS(1)} left join places giver on giver.address = paid."from"
  left join places taker on taker.address = paid."to"`;
const flowed = (from: string, to: string) => `coalesce((select sum(amount) from flows
  where flows.asset = wanted.asset and "from" = '${from}' and "to" = '${to}'), 0)`;

/** What the network itself takes. */
const CHARGED = `case wanted.asset when 'XLM' then coalesce((select sum(charged.stroops)
  from ${FEES(4)} join places using (address)), 0) / 10000000.0 else 0 end`;

/** What was put in at the provider beyond its own list, where no payment can show it. */
const NOTED = `coalesce((select sum(stroops) from house_capital
  where place = 'payment_provider' and not is_opening), 0) / 10000000.0`;
const atProvider = (amount: string) => `case wanted.asset when 'USDC' then ${amount} else 0 end`;

const TERMS = `
  with booked as (${BOOKED}), places as (${PLACES}), flows as (${FLOWS})
  select asset, ${booked('user')} as users, ${booked('escrow')} as escrow,
    ${booked('fee_income')} as fees, ${booked('suspense')} as suspense,
    ${booked('adjustments')} as adjustments,
    ${booked('provider_fees', 'treasury')} as written_off,
    coalesce((select sum(dust_stroops) from wallet_mirror mirror
      where mirror.asset = wanted.asset), 0) / 10000000.0 as dust,
    ${flowed('stranger', 'house')} - ${flowed('house', 'stranger')} - ${CHARGED}
      + ${atProvider(`$2::numeric + ${NOTED}`)} as capital,
    ${flowed('contract', 'stranger')} as contract_fees,
    ${atProvider('$3::numeric')} as provider,
    ${held('house')} as house, ${held('user')} as addresses, ${held('contract')} as contracts
  from (values ('USDC'), ('XLM')) wanted (asset)`;
const OWED = `users + escrow + fees + suspense + adjustments + written_off + dust + capital
  - contract_fees`;
const THERE = 'provider + house + addresses + contracts';

const GIVEN = `
  with places as (${PLACES}), flows as (${FLOWS})
  select 'ledger_network' as place, asset,
    ${flowed('stranger', 'house')} - ${flowed('house', 'stranger')} as amount
  from (values ('USDC')) wanted (asset)
  union all select 'payment_provider', 'USDC', $2::numeric + ${NOTED}`;

export const solvency: Invariant = {
  id: 'S1',
  claim: 'what is there is what is owed',
  async check(sql) {
    const { outside, isConverged } = sql;
    if (outside?.atRest === undefined || !isConverged)
      return Object.values(CLAIMS).map((claim) => skip(claim, NOT_AT_REST));
    return findAll(sql, checksOf(outside, outside.atRest));
  },
};

function checksOf({ payments }: Outside, { holdings, fees, provider }: AtRest): Check[] {
  const [flows, there, charges] = [payments, holdings, fees].map((rows) => JSON.stringify(rows));
  const { deposited, balance } = provider;
  return [
    {
      claim: CLAIMS.equation,
      of: holdings.length,
      values: [flows, deposited, balance, charges, there],
      broken: `select *, ${THERE} - (${OWED}) as too_much from (${TERMS}) terms
        where ${THERE} <> ${OWED}`,
    },
    {
      claim: CLAIMS.provider,
      of: 1,
      values: [deposited, balance],
      broken: `select $2::numeric as balance, ours.amount as expected
        from (select $1::numeric + ${NOTED} - coalesce(sum(amount), 0) as amount
          from (${BOOKED}) booked where kind = 'payment_clearing') ours
        where ours.amount <> $2::numeric`,
    },
    {
      claim: CLAIMS.capital,
      of: 'house_capital',
      values: [flows, deposited],
      broken: `select place, asset, noted.amount as noted, given.amount as given
        from (select place, asset, sum(stroops) / 10000000.0 as amount from house_capital
          group by 1, 2) noted join (${GIVEN}) given using (place, asset)
        where noted.amount <> given.amount`,
    },
  ];
}
