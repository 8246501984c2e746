import { describe, expect, it } from 'vitest';
import { chartsOf } from '#screens/home/home-charts.ts';

const none = { count: 0, amount: '0.00' };
const quiet = { created: none, funded: none, released: none, refunded: none };
const volumeDay = (day: string, currency: 'USD' | 'USDC', fees: string) => ({
  ...quiet,
  day,
  currency,
  fees,
  paidIn: '0.00',
  paidOut: '0.00',
});
const window = { takenAt: '2026-11-02T08:00:00.000Z', days: 2 } as const;

describe('the charts of Home', () => {
  it('are one pair per currency, day by day', () => {
    const held = [
      { day: '2026-11-01', currency: 'USDC', reserved: '1.00', escrow: '2.00' },
      { day: '2026-11-02', currency: 'USDC', reserved: '0.00', escrow: '3.00' },
    ] as const;
    const volume = [volumeDay('2026-11-01', 'USDC', '0.05')];
    const [chart, ...others] = chartsOf({ ...window, held, volume });
    expect(others).toEqual([]);
    expect(chart?.held.days).toEqual(['2026-11-01', '2026-11-02']);
    expect(chart?.held.lines[0]?.amounts).toEqual(['2.00', '3.00']);
    expect(chart?.volume.lines.at(-1)?.amounts).toEqual(['0.05', '0.00']);
  });

  it('show days without movements with zero amounts', () => {
    const volume = [volumeDay('2026-11-02', 'USD', '0.05')];
    const [chart] = chartsOf({ ...window, days: 4, held: [], volume });
    expect(chart?.volume.days).toEqual(['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02']);
    expect(chart?.volume.lines.at(-1)?.amounts).toEqual(['0.00', '0.00', '0.00', '0.05']);
  });

  it('leave out a currency in which nothing has moved', () => {
    const volume = [volumeDay('2026-11-01', 'USD', '0.00')];
    expect(chartsOf({ ...window, held: [], volume })).toEqual([]);
  });
});
