//! Planted faults that only an idle service reveals: assets differ from liabilities.
import type { AtRest, ExternalState, Holding } from '../external-state.ts';
import type { Fault } from './fault.ts';

const atRest = (edit: (there: AtRest) => AtRest) => (world: ExternalState) => ({
  ...world,
  ...(world.atRest && { atRest: edit(world.atRest) }),
});
const holds = (address: string, asset: Holding['asset'], edit: (amount: string) => string) =>
  atRest((there) => ({
    ...there,
    holdings: there.holdings.map((each) =>
      each.address === address && each.asset === asset
        ? { ...each, amount: edit(each.amount) }
        : each,
    ),
  }));
/** In stroops, so that a single one can be missing. */
const more = (by: bigint) => (amount: string) => {
  const [whole = '', part = ''] = amount.split('.');
  const stroops = BigInt(whole + part.padEnd(7, '0').slice(0, 7)) + by;
  return `${stroops / 10_000_000n}.${String(stroops % 10_000_000n).padStart(7, '0')}`;
};
const paid =
  (edit: (payments: ExternalState['payments']) => ExternalState['payments']) =>
  (world: ExternalState) => ({
    ...world,
    payments: edit(world.payments),
  });

// biome-ignore format: a table.
export const REST_FAULTS: readonly Fault[] = [
  { name: 'an address that holds a stroop less', by: ['I22', 'S1'], names: `select 'GANN'`, plant: '',
    external: holds('GANN', 'USDC', more(-1n)) },
  { name: 'a mirror with another amount', by: ['I22'], names: `select 'GANN'`,
    plant: 'update wallet_mirror set stroops = stroops + 1' },
  { name: 'a payment of an external payer without a deposit', by: ['I22'], names: `select '1004'`, plant: '',
    external: paid((all) => [...all, { operation: '1004', part: 0, hash: 'unseen', from: 'GSTRANGER', to: 'GANN', asset: 'USDC', amount: '1' }]) },
  { name: 'a treasury that holds a stroop less', by: ['S1'], names: `select 'asset=USDC'`, plant: '',
    external: holds('GTREASURY', 'USDC', more(-1n)) },
  { name: 'a treasury that holds a stroop of XLM more', by: ['S1'], names: `select 'asset=XLM'`, plant: '',
    external: holds('GTREASURY', 'XLM', more(1n)) },
  { name: 'a contract that holds less', by: ['S1'], names: `select 'asset=USDC'`, plant: '',
    external: holds('Cord_under_way', 'USDC', () => '11.99') },
  { name: 'a contract that paid its provider more', by: ['S1'], names: `select 'contract_fees=0.037'`, plant: '',
    external: paid((all) => all.map((each) => each.operation === '903' ? { ...each, amount: '0.037' } : each)) },
  { name: 'a payment provider that holds a cent less', by: ['S1'], names: `select 'balance='`, plant: '',
    external: atRest((there) => ({ ...there, provider: { ...there.provider, balance: more(-100_000n)(there.provider.balance) } })) },
  { name: 'money created without an entry', by: ['S1', 'I22'], names: `select 'asset=USDC'`,
    plant: `update account set available = available + 1 where owner_id = 'usr_ann'` },
  { name: 'recorded capital without a payment', by: ['S1'], names: `select 'place=payment_provider'`,
    plant: `update house_capital set stroops = stroops + 502500000 where place = 'payment_provider'` },
  { name: 'a pay-in that was paid and not booked', by: ['I8'], names: `select 'topup_open'`, plant: '',
    journal: (entries) => [...entries, { seq: 99, effect: 'payment.payin.confirm', code: 'topup_open', amount: '8' }] },
];
