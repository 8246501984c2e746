import { FAULT_KINDS, FAULT_OPERATIONS } from '@holdfast/contract/sandbox-faults';
import { expect, it } from 'vitest';
import {
  FAULT_KINDS as SANDBOX_KINDS,
  FAULT_OPERATIONS as SANDBOX_OPERATIONS,
} from '../../../../sandbox/src/faults.ts';
import { useEscrowWorld } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { lab, SCENARIOS } from './lab.ts';

const { world, market } = useEscrowWorld();

it('arms faults, shows and clears them', async () => {
  const fault = { provider: 'escrow', operation: 'fund', kind: 'reject', times: 2 };
  const armed = await market.send('POST', '/lab/faults', { body: fault });
  expect(armed.json.data.data.faults).toEqual([fault]);
  const wrong = await market.send('POST', '/lab/faults', { body: { ...fault, kind: 'melt' } });
  expect(wrong.json.error.code).toBe('VALIDATION_ERROR');
  const cleared = await market.send('DELETE', '/lab/faults');
  expect(cleared.json.data.data.faults).toEqual([]);
});

it.each(Object.keys(SCENARIOS))('runs %s', async (name) => {
  const steered = await lab.runScenario(world.app, market.call, name as keyof typeof SCENARIOS);
  expect(steered.faults).toHaveLength(SCENARIOS[name as keyof typeof SCENARIOS].arms.length);
  await market.send('DELETE', '/lab/faults');
});

it('sets the clock forward', async () => {
  const before = (await lab.read(world.app.sandbox)).offsetMs;
  const { json } = await market.send('POST', '/lab/clock/advance', { body: { seconds: 90 } });
  expect(json.data.data.offsetSeconds).toBe(Math.round(before / 1000) + 90);
});

it('records the operator, the command and the reason before the sandbox gets it', async () => {
  const own = await world.market();
  const admin = await desk(world, { role: 'admin', marketplaceId: own.id });
  const fault = { provider: 'escrow', operation: 'fund', kind: 'reject', times: 2 };
  await admin.send('POST', '/lab/clock/advance', { body: { seconds: 1 } });
  await admin.send('POST', '/lab/faults', { body: fault });
  await admin.send('DELETE', '/lab/faults');
  await admin.send('POST', '/lab/scenarios', { body: { name: 'refused-funding' } });
  await admin.send('DELETE', '/lab/faults');
  const expected = [
    { setForwardBySeconds: 1 },
    { armed: [fault] },
    { disarmed: 'all' },
    { scenario: 'refused-funding', armed: [{ ...fault, times: 1 }] },
    { disarmed: 'all' },
  ];
  const listed = async () =>
    (await own.send('GET', '/audit/logs?action=LAB_STEERED')).json.data.data.toReversed();
  const by = { resourceType: 'Sandbox', actorId: admin.id, reason: 'a test', before: null };
  expect(await listed()).toMatchObject(expected.map((after) => ({ ...by, after })));
  // A sandbox that never replies has still received the command.
  const away = async () => Promise.reject(new Error('away'));
  const app = { ...world.app, sandbox: { ...world.app.sandbox, clearFaults: away } as never };
  await expect(lab.clearFaults(app, own.call)).rejects.toThrow('away');
  expect(await listed()).toHaveLength(expected.length + 1);
});

it('is unavailable where no sandbox is configured', async () => {
  await expect(lab.read(undefined)).rejects.toSatisfy(isRefusal('FEATURE_NOT_AVAILABLE'));
  const own = await world.market();
  const steered = lab.clearFaults({ ...world.app, sandbox: undefined }, own.call);
  await expect(steered).rejects.toSatisfy(isRefusal('FEATURE_NOT_AVAILABLE'));
  const { json } = await own.send('GET', '/audit/logs?action=LAB_STEERED');
  expect(json.data.data).toEqual([]);
});

it('offers the scenarios of the sandbox, and nothing else', () => {
  expect(FAULT_KINDS).toEqual(SANDBOX_KINDS);
  expect(FAULT_OPERATIONS).toEqual(SANDBOX_OPERATIONS);
});
