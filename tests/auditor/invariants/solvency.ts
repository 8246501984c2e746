//! S1: assets equal liabilities, to the stroop. SQL reads the books. External reads supply holdings
//! of addresses, contracts and the payment provider, gifts of third parties to the house, and the
//! escrow provider's contract fees.

import {
  type AtRest,
  type ExternalState,
  FEES,
  HOLDINGS,
  NOT_AT_REST,
  OWN,
  PAYMENTS,
} from '../external-state.ts';
import { type Check, findAll, type Invariant, skip } from '../invariant.ts';

const CLAIMS = {
  equation: 'for each asset, liabilities plus capital equal assets exactly',
  provider: 'the payment provider holds the balance of the books and the deposits of the platform',
  capital: 'the recorded USDC capital of the platform equals the amount it received',
};

/** USD and USDC are both backed by USDC. In units. */
const BOOKED = `
  select case account.currency when 'XLM' then 'XLM' else 'USDC' end as asset, account.kind,
    sum(part.minor) / 100.0 as amount
  from (select id as account_id, available + reserved as minor from account
    union all select account_id, delta from house_delta) part
  join account on account.id = part.account_id group by 1, 2`;
const booked = (...kinds: readonly string[]) => `coalesce((select sum(amount) from booked
  where booked.asset = wanted.asset and kind in ('${kinds.join("', '")}')), 0)`;

const OWN_ADDRESSES = `select address, place from ${OWN}`;
const held = (owner: string) => `coalesce((select sum(held.amount) from ${HOLDINGS(5)}
  join places using (address) where held.asset = wanted.asset and place = '${owner}'), 0)`;

/** Payments between the house and third parties, and from contracts to third parties. */
const FLOWS = `
  select paid.asset, coalesce(giver.place, 'external') as "from",
    coalesce(taker.place, 'external') as "to", paid.amount
  from ${PAYMENTS(1)} left join places giver on giver.address = paid."from"
  left join places taker on taker.address = paid."to"`;
const flowed = (from: string, to: string) => `coalesce((select sum(amount) from flows
  where flows.asset = wanted.asset and "from" = '${from}' and "to" = '${to}'), 0)`;

/** Fees of the network itself. */
const CHARGED = `case wanted.asset when 'XLM' then coalesce((select sum(charged.stroops)
  from ${FEES(4)} join places using (address)), 0) / 10000000.0 else 0 end`;

/** Deposits at the provider beyond its own list, which no payment can show. */
const RECORDED = `coalesce((select sum(stroops) from house_capital
  where place = 'payment_provider' and not is_opening), 0) / 10000000.0`;
const atProvider = (amount: string) => `case wanted.asset when 'USDC' then ${amount} else 0 end`;

const TERMS = `
  with booked as (${BOOKED}), places as (${OWN_ADDRESSES}), flows as (${FLOWS})
  select asset, ${booked('user')} as users, ${booked('escrow')} as escrow,
    ${booked('fee_income')} as fees, ${booked('suspense')} as suspense,
    ${booked('adjustments')} as adjustments,
    ${booked('provider_fees', 'treasury')} as written_off,
    ${booked('payment_fees')} as payment_fees, ${booked('debt')} as debts,
    coalesce((select sum(dust_stroops) from wallet_mirror mirror
      where mirror.asset = wanted.asset), 0) / 10000000.0 as dust,
    ${flowed('external', 'house')} - ${flowed('house', 'external')} - ${CHARGED}
      + ${atProvider(`$2::numeric + ${RECORDED}`)} as capital,
    ${flowed('contract', 'external')} as contract_fees,
    ${atProvider('$3::numeric')} as provider,
    ${held('house')} as house, ${held('user')} as addresses, ${held('contract')} as contracts
  from (values ('USDC'), ('XLM')) wanted (asset)`;
const OWED = `users + escrow + fees + suspense + adjustments + written_off + payment_fees + debts
  + dust + capital - contract_fees`;
const THERE = 'provider + house + addresses + contracts';

const GIVEN = `
  with places as (${OWN_ADDRESSES}), flows as (${FLOWS})
  select 'ledger_network' as place, asset,
    ${flowed('external', 'house')} - ${flowed('house', 'external')} as amount
  from (values ('USDC')) wanted (asset)
  union all select 'payment_provider', 'USDC', $2::numeric + ${RECORDED}`;

export const solvency: Invariant = {
  id: 'S1',
  claim: 'assets equal liabilities',
  async check(sql) {
    const { external, isConverged } = sql;
    if (external?.atRest === undefined || !isConverged)
      return Object.values(CLAIMS).map((claim) => skip(claim, NOT_AT_REST));
    return findAll(sql, checksOf(external, external.atRest));
  },
};

function checksOf({ payments }: ExternalState, { holdings, fees, provider }: AtRest): Check[] {
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
        from (select $1::numeric + ${RECORDED} - coalesce(sum(amount), 0) as amount
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
