//! Checks that need an idle service: each must find a planted fault.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, type Line } from './audit.ts';
import { lineText } from './report.ts';
import type { Fault } from './testing/fault.ts';
import { REST_FAULTS } from './testing/rest-faults.ts';
import { openWorld, type World } from './testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Without I21: the world has orders in flight, without external effects. I21 is tested below. */
const ONLY = ['I8', 'I22', 'S1'];

async function auditAtRest(fault?: Fault, isConverged = true): Promise<Line[]> {
  const { client } = world;
  const journal = fault?.journal?.(world.journal) ?? world.journal;
  const external = fault?.external?.(world.external) ?? world.external;
  await client.query('begin');
  try {
    await client.query(fault?.plant ?? '');
    return await audit(client, { journal, external, isConverged, only: ONLY });
  } finally {
    await client.query('rollback');
  }
}

const broken = (lines: readonly Line[]) => lines.filter((line) => line.broken > 0);
const idsOf = (lines: readonly Line[]) => [...new Set(lines.map(({ id }) => id))].sort();
const found = new Set<string>();

// In order: the last test but one needs the findings of those before it.
describe('audit of an idle service', { shuffle: false }, () => {
  it('reports a healthy world as clean and skips no check', async () => {
    const lines = await auditAtRest();
    expect(broken(lines).map(lineText)).toEqual([]);
    expect(lines.filter(({ checked, skipped }) => checked === 0 || skipped !== undefined)).toEqual(
      [],
    );
  });

  it.each(REST_FAULTS)('finds $name ($by)', async (fault) => {
    const lines = broken(await auditAtRest(fault));
    expect(idsOf(lines), lines.map(lineText).join('\n')).toEqual([...fault.by].sort());
    const { rows } = await world.client.query<[unknown]>({ text: fault.names, rowMode: 'array' });
    const reported = lines.filter(({ id }) => id === fault.by[0]).map(lineText);
    expect(reported.join('\n')).toContain(String(rows[0]?.[0]));
    for (const { claim } of lines) found.add(claim);
  });

  it('has a planted fault for every check', async () => {
    const skipped = (await auditAtRest(undefined, false)).filter(
      (line) => line.skipped !== undefined,
    );
    expect(skipped.length).toBeGreaterThan(0);
    expect(skipped.map(({ claim }) => claim).filter((claim) => !found.has(claim))).toEqual([]);
  });

  it('skips these checks while the service is not idle', async () => {
    const [fault] = REST_FAULTS;
    expect(broken(await auditAtRest(fault, false))).toEqual([]);
  });
});

async function auditRest(plant: string): Promise<Line[]> {
  await world.client.query('begin');
  try {
    await world.client.query(plant);
    return await audit(world.client, { isConverged: true, only: ['I21'] });
  } finally {
    await world.client.query('rollback');
  }
}

describe('I21, nothing in flight', () => {
  const REST = `delete from outbox;
    update inbox set status = 'PARKED', last_error = 'nothing fits' where status = 'PENDING';
    update envelope set state = 'APPLIED' where state = 'OPEN'; delete from open_operation;
    update operation set status = 'DONE' where status = 'RUNNING';
    update orders set status = 'IN_PROGRESS' where id = 'ord_moving';`;
  const wait = (plant: string) => auditRest(REST + plant);

  it('passes when nothing is in flight', async () => {
    const lines = await wait('');
    expect(idsOf(broken(lines)), lines.map(lineText).join('\n')).toEqual([]);
    expect(lines.map(({ skipped }) => skipped)).toEqual([undefined]);
  });

  it.each([
    [
      'an open operation',
      'op_release',
      `update operation set status = 'ESCALATED', escalated_at = now()
      where id = 'op_release'`,
    ],
    [
      'an order in flight',
      'ord_moving',
      `update orders set status = 'REFUND_REQUESTED'
      where id = 'ord_moving'`,
    ],
    [
      'an escrow that is being funded',
      'esc_ord_moving',
      `update escrow set status = 'FUNDING',
      funded_at = null where order_id = 'ord_moving'`,
    ],
    [
      'a decision that is being carried out',
      'dsp_deal',
      `update dispute set status = 'UNDER_REVIEW',
      resolved_at = null where id = 'dsp_deal'`,
    ],
    [
      'an envelope of unknown outcome',
      'deploy:op_deploy',
      `update envelope set state = 'OPEN'
      where purpose = 'create-escrow:deploy:op_deploy'`,
    ],
    [
      'a transfer of unknown outcome',
      'op_batch',
      `update mirror_item set status = 'OPEN' where batch_id = 'op_batch'`,
    ],
    [
      'an address that the mirror has not updated',
      'usr_ann',
      `insert into mirror_queue (marketplace_id, user_id, has_network_movement, created_at)
      select min(id), 'usr_ann', false, now() from marketplace`,
    ],
    [
      'a top-up in flight',
      'topup_open',
      `update topup set status = 'TOPUP_PROCESSING' where id = 'topup_open'`,
    ],
    [
      'a withdrawal in flight',
      'wd_held',
      `update withdrawal set status = 'WITHDRAWAL_PENDING' where id = 'wd_held'`,
    ],
    [
      'a withdrawal whose final status was not fetched',
      'wd_failed',
      `update withdrawal set next_poll_at = now() where id = 'wd_failed'`,
    ],
    [
      'a top-up whose final status was not fetched',
      'topup_paid',
      `update topup_poll set topup_id = 'topup_paid'`,
    ],
    [
      'an event without a position',
      'user.gone',
      `insert into outbox (marketplace_id, event_type,
      aggregate_id, payload, actor_id, correlation_id)
      select min(id), 'user.gone', 'usr_x', '{}', 'x', 'x' from marketplace`,
    ],
    [
      'a pending provider notification',
      'whk_odd',
      `update inbox
      set status = 'PENDING' where provider_event_id = 'whk_odd'`,
    ],
  ])('reports %s', async (_, name, plant) => {
    const lines = await wait(plant);
    expect(idsOf(broken(lines))).toEqual(['I21']);
    expect(lines.map(lineText).join('\n')).toContain(name);
  });
});
