//! Tests the filters by time of a list under a clock that is far from the machine's.
import { instantText, systemClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const DAY_MS = 86_400_000;

describe.each([400, -400])('under a clock that is %d days off', (days) => {
  const clock = { now: () => systemClock.now() + days * DAY_MS };
  const world = useWorld({ clock });

  it.each(['/users', '/audit/logs'])('%s finds a record at its createdAt', async (path) => {
    const market = await world.market();
    await market.user();
    const found = async (bound: string, offset: number) => {
      const query = new URLSearchParams({ [bound]: instantText(clock.now() + offset) });
      return (await market.send('GET', `${path}?${query}`)).json.data.data.length as number;
    };
    expect(await found('created_after', -DAY_MS)).toBeGreaterThan(0);
    expect(await found('created_before', DAY_MS)).toBeGreaterThan(0);
    expect(await found('created_after', DAY_MS)).toBe(0);
    expect(await found('created_before', -DAY_MS)).toBe(0);
  });

  it('a reservation and its audit entry carry the time of the clock', async () => {
    const market = await world.market();
    const userId = await market.user();
    const send = (action: string) =>
      market.send('POST', `/users/${userId}/balance/${action}`, { body: { amount: '1.00' } });
    await send('credit');
    await send('reserve');
    const query = new URLSearchParams({ created_after: instantText(clock.now() - DAY_MS) });
    const { json } = await market.send('GET', `/audit/logs?${query}`);
    expect(json.data.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['BALANCE_CREDITED', 'BALANCE_RESERVED']),
    );
  });
});
