//! Tests that the house's capital movements are summed up, and never changed.
import { beforeEach, describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { masterCall, openWorld } from '../../testing/world.ts';
import { insertCapital } from './house-position.ts';
import { recordCapital } from './record-capital.ts';

const world = useOpenedEach(openWorld);
beforeEach(() => world.market());

describe('capital', () => {
  it('is added to, never changed, and audited with its sum', async () => {
    const input = { location: 'payment_provider', asset: 'USDC', reason: 'a deposit' } as const;
    const call = masterCall();
    const created = await recordCapital(world.app, call, { ...input, amount: '-12.3400001' });
    expect(created.stroops).toBe(-123400001n);
    await recordCapital(world.app, masterCall(), { ...input, amount: '20' });
    const rows = await world.rows('select stroops, is_opening, recorded_by from house_capital');
    expect(rows).toEqual([
      { stroops: '-123400001', is_opening: false, recorded_by: 'master' },
      { stroops: '200000000', is_opening: false, recorded_by: 'master' },
    ]);
    const audited = await world.rows('select after, reason from audit where correlation_id = $1', [
      call.requestId,
    ]);
    const after = { location: 'payment_provider', asset: 'USDC', amount: '-12.3400001' };
    expect(audited).toEqual([{ after, reason: 'a deposit' }]);
  });

  it('is audited without its sum where the log is another marketplace’s', async () => {
    await world.market();
    const call = masterCall();
    const input = { location: 'ledger_network', asset: 'XLM', reason: 'a deposit' } as const;
    await recordCapital(world.app, call, { ...input, amount: '5' });
    expect(
      await world.rows('select after from audit where correlation_id = $1', [call.requestId]),
    ).toEqual([{ after: { location: 'ledger_network', asset: 'XLM' } }]);
  });

  it('is recorded by people: the worker finds what is there at the beginning, and no more', async () => {
    const capital = {
      location: 'ledger_network',
      asset: 'USDC',
      stroops: -5n,
      reason: 'x',
    } as const;
    const insert = (isOpening: boolean) =>
      transact(world.worker, systemCall('0'), (tx) => insertCapital(tx, { ...capital, isOpening }));
    await expect(insert(false)).rejects.toThrow(/row-level security/);
    expect(await insert(true)).toBe(true);
    expect(await insert(true)).toBe(false);
  });

  it('at the payment provider is in dollars', async () => {
    const input = { location: 'payment_provider', asset: 'XLM', reason: 'x', amount: '1' } as const;
    const { code } = await refusalOf(recordCapital(world.app, masterCall(), input));
    expect(code).toBe('INVALID_STATE');
  });
});
