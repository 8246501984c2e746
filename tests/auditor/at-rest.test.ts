//! What only shows when nothing moves any more: each such check must notice a planted fault.
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

/** The world has orders on their way, which move nothing outside: I21 is tested below. */
const ONLY = ['I8', 'I22', 'S1'];

async function auditAtRest(fault?: Fault, isConverged = true): Promise<Line[]> {
  const { client } = world;
  const journal = fault?.journal?.(world.journal) ?? world.journal;
  const outside = fault?.outside?.(world.outside) ?? world.outside;
  await client.query('begin');
  try {
    await client.query(fault?.plant ?? '');
    return await audit(client, { journal, outside, isConverged, only: ONLY });
  } finally {
    await client.query('rollback');
  }
}

const broken = (lines: readonly Line[]) => lines.filter((line) => line.broken > 0);
const idsOf = (lines: readonly Line[]) => [...new Set(lines.map(({ id }) => id))].sort();
const found = new Set<string>();

// In order: the last but one counts what those before it have found.
describe('what is there, when nothing moves', { shuffle: false }, () => {
  it('is clean when all is right, and nothing is left out', async () => {
    const lines = await auditAtRest();
    expect(broken(lines).map(lineText)).toEqual([]);
    expect(lines.filter(({ looked, skipped }) => looked === 0 || skipped !== undefined)).toEqual(
      [],
    );
  });

  it.each(REST_FAULTS)('finds $name ($by)', async (fault) => {
    const lines = broken(await auditAtRest(fault));
    expect(idsOf(lines), lines.map(lineText).join('\n')).toEqual([...fault.by].sort());
    const { rows } = await world.client.query<[unknown]>({ text: fault.names, rowMode: 'array' });
    const told = lines.filter(({ id }) => id === fault.by[0]).map(lineText);
    expect(told.join('\n')).toContain(String(rows[0]?.[0]));
    for (const { claim } of lines) found.add(claim);
  });

  it('leaves no check without a fault that breaks it', async () => {
    const skipped = (await auditAtRest(undefined, false)).filter(
      (line) => line.skipped !== undefined,
    );
    expect(skipped.length).toBeGreaterThan(0);
    expect(skipped.map(({ claim }) => claim).filter((claim) => !found.has(claim))).toEqual([]);
  });

  it('holds nobody to it who is not at rest', async () => {
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

describe('a service at rest', () => {
  const REST = `delete from outbox;
    update inbox set status = 'PARKED', last_error = 'nothing fits' where status = 'PENDING';
    update envelope set state = 'APPLIED' where state = 'OPEN'; delete from operation_open;
    update operation set status = 'DONE' where status = 'RUNNING';
    update orders set status = 'IN_PROGRESS' where id = 'ord_moving';`;
  const wait = (plant: string) => auditRest(REST + plant);

  it('has nothing in flight', async () => {
    const lines = await wait('');
    expect(idsOf(broken(lines)), lines.map(lineText).join('\n')).toEqual([]);
    expect(lines.map(({ skipped }) => skipped)).toEqual([undefined]);
  });

  it.each([
    [
      'an open operation',
      'op_release',
      `update operation set status = 'RAISED', raised_at = now()
      where id = 'op_release'`,
    ],
    [
      'an order on its way',
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
      'an envelope of unknown fate',
      'deploy:op_deploy',
      `update envelope set state = 'OPEN'
      where purpose = 'create-escrow:deploy:op_deploy'`,
    ],
    [
      'a transfer of unknown fate',
      'op_batch',
      `update mirror_item set status = 'OPEN' where batch_id = 'op_batch'`,
    ],
    [
      'an address that has not followed its books',
      'usr_ann',
      `insert into mirror_due (marketplace_id, user_id, has_moved, made_at)
      select min(id), 'usr_ann', false, now() from marketplace`,
    ],
    [
      'a top-up that is on its way',
      'topup_open',
      `update topup set status = 'TOPUP_PROCESSING' where id = 'topup_open'`,
    ],
    [
      'a withdrawal that is on its way',
      'wd_held',
      `update withdrawal set status = 'WITHDRAWAL_PENDING' where id = 'wd_held'`,
    ],
    [
      'a withdrawal whose end was not looked at',
      'wd_failed',
      `update withdrawal set next_look_at = now() where id = 'wd_failed'`,
    ],
    [
      'a top-up whose end was not looked at',
      'topup_paid',
      `update topup_look set topup_id = 'topup_paid'`,
    ],
    [
      'an event that waits for its place',
      'user.gone',
      `insert into outbox (marketplace_id, event_type,
      aggregate_id, payload, actor_id, correlation_id)
      select min(id), 'user.gone', 'usr_x', '{}', 'x', 'x' from marketplace`,
    ],
    [
      'an event of a provider that waits for its turn',
      'whk_odd',
      `update inbox
      set status = 'PENDING' where provider_event_id = 'whk_odd'`,
    ],
  ])('does not leave %s', async (_, name, plant) => {
    const lines = await wait(plant);
    expect(idsOf(broken(lines))).toEqual(['I21']);
    expect(lines.map(lineText).join('\n')).toContain(name);
  });
});
