//! Runs against the real sandbox: a run reports exactly the planted discrepancies, each once.
import { describe, expect, it } from 'vitest';
import { stroopsText } from '../../providers/network/stroops.ts';
import { refusalOf } from '../../testing/escrows.ts';
import {
  atRest,
  changeBalance,
  credited,
  doublePayout,
  reconciled,
  seenBy,
  strayPayin,
  useTraffic,
} from '../../testing/reconciliation.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { createReconciliationRun } from './create-reconciliation-run.ts';

const { world, market, traffic } = useTraffic();

const named = (seen: Awaited<ReturnType<typeof seenBy>>) =>
  seen.map(({ cause, stroops }) => `${cause} ${stroopsText(stroops)}`);

// One sequence: a run depends on those before it.
describe('a run', { shuffle: false }, () => {
  it('reports no difference where there is none', async () => {
    const run = await reconciled(world, market);
    expect(named(await seenBy(world, market, run.id))).toEqual([]);
    expect(run.figures).toMatchObject({ opened: 0, seenAgain: 0, cleared: 0 });
    const { totals } = run.figures;
    expect(totals['payment_provider USD']?.matched.count).toBeGreaterThanOrEqual(3);
    expect(totals['payment_provider USD']?.inFlight.count).toBe(1);
    expect(totals['ledger_network USDC']?.matched.count).toBeGreaterThanOrEqual(8);
  });

  it('reports exactly the five planted discrepancies, and the same ones again', async () => {
    const other = await market.user();
    await world.runWorker();
    const dusty = await addressOf(world, other);
    await changeBalance(world, -1234n);
    await world.sandbox.deposit(traffic.address, 'USDC', '25');
    await strayPayin(world, 4000n);
    await doublePayout(world, traffic, 2000n);
    await world.sandbox.deposit(dusty, 'USDC', '3.0012345');
    await credited(world, dusty);
    await atRest(world);

    const run = await reconciled(world, market);
    const seen = await seenBy(world, market, run.id);
    expect(named(seen)).toEqual([
      'DUST 0.0012345',
      'LEDGER_PAYMENT_UNBOOKED 25.0000000',
      'PAYIN_MISSING_HERE 39.5000000',
      'PAYOUT_DOUBLED -20.0000000',
      'PROVIDER_BALANCE_CHANGED -12.3400000',
    ]);
    expect(seen.map(({ resourceId }) => resourceId)).toEqual([
      other,
      traffic.userId,
      null,
      traffic.withdrawalId,
      null,
    ]);
    expect(run.figures).toMatchObject({ opened: 5, seenAgain: 0, cleared: 0 });

    const again = await reconciled(world, market);
    const seenAgain = await seenBy(world, market, again.id);
    expect(seenAgain.map(({ id }) => id)).toEqual(seen.map(({ id }) => id));
    expect(again.figures).toMatchObject({ opened: 0, seenAgain: 5, cleared: 0 });
  });

  it('clears the exceptions in its scope that it no longer finds', async () => {
    await credited(world, traffic.address);
    await atRest(world);
    const payments = await reconciled(world, market, { providers: ['payment_provider'] });
    expect(payments.figures).toMatchObject({ opened: 0, seenAgain: 3, cleared: 0 });
    const both = await reconciled(world, market);
    expect(both.figures).toMatchObject({ opened: 0, seenAgain: 4, cleared: 1 });
  });

  it('excludes other marketplaces, and leaves unowned records to the configured one', async () => {
    const otherMarket = await world.market();
    const run = await reconciled(world, otherMarket);
    expect(run.figures).toMatchObject({ opened: 0, seenAgain: 0 });
    expect(await seenBy(world, otherMarket, run.id)).toEqual([]);
    // With two marketplaces none covers the house, so nothing of the house is cleared.
    const own = await reconciled(world, market);
    expect(own.figures).toMatchObject({ opened: 0, cleared: 0 });
  });

  it('is refused while another run of the marketplace is in progress', async () => {
    await world.rows(
      `insert into reconciliation_run (marketplace_id, id, status, providers, operation_id,
         window_from, created_by, created_at)
       select id, 'rec_x', 'RUNNING', array['ledger_network'], 'op_x', now(), 'test', now()
       from marketplace where public_id = $1`,
      [market.id],
    );
    const refusal = await refusalOf(createReconciliationRun(world.app, market.call, {}));
    expect(refusal.code).toBe('INVALID_STATE');
    await world.rows(`delete from reconciliation_run where id = 'rec_x'`);
  });
});
