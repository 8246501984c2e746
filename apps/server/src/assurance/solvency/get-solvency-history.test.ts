//! Tests the hourly history: each hour shows its worst reading, without sums.
import { beforeAll, describe, expect, it } from 'vitest';
import { transact } from '../../platform/database/transact.ts';
import { useMarket } from '../../testing/use-world.ts';
import { getSolvencyHistory } from './get-solvency-history.ts';
import { insertReading } from './solvency-reading.ts';
import type { SolvencyStatus } from './solvency-terms.ts';

const HOUR_MS = 3_600_000;

const { world, market } = useMarket();
let thisHour: number;
beforeAll(async () => {
  thisHour = Math.floor(world.app.clock.now() / HOUR_MS) * HOUR_MS;
  await readSo(-200, 'BREACH');
  await readSo(-30, 'UNSETTLED');
  await readSo(-30, 'BREACH');
  await readSo(-30, 'BALANCED');
  await readSo(-2, 'BALANCED');
});

async function readSo(hours: number, status: SolvencyStatus): Promise<void> {
  const takenAt = thisHour + hours * HOUR_MS + 60_000;
  const reading = { takenAt, status, groups: [], addressesRead: 0, addressesKnown: 0 };
  await transact(world.worker, market.call, (tx) => insertReading(tx, reading));
}

describe('the history of solvency', () => {
  it('returns the worst reading of each hour, oldest first, for a week', async () => {
    const { hours } = await getSolvencyHistory(world.app, market.call, {});
    expect(hours).toEqual([
      { hour: thisHour - 30 * HOUR_MS, readings: 3, status: 'BREACH' },
      { hour: thisHour - 2 * HOUR_MS, readings: 1, status: 'BALANCED' },
    ]);
  });

  it('goes back as far as requested', async () => {
    const { json } = await market.send('GET', '/solvency/history?days=10');
    expect(json.data.data.hours).toHaveLength(3);
    const short = await market.send('GET', '/solvency/history?days=1');
    expect(short.json.data.data.hours).toHaveLength(1);
    const wrong = await market.send('GET', '/solvency/history?days=31');
    expect(wrong.status).toBe(400);
  });

  it('is the same for the master key', async () => {
    const whole = await world.send('GET', '/solvency/history', { key: world.masterKey });
    expect(whole.json.data.data.hours).toHaveLength(2);
  });
});
