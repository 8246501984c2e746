import type { SolvencyHour } from '@holdfast/sdk';
import { expect, it } from 'vitest';
import { daysOf, historyWords } from '#screens/solvency/history-days.ts';

const hour = (at: string, status: SolvencyHour['status']): SolvencyHour => ({
  hour: `2026-11-${at}:00:00.000Z`,
  readings: 60,
  status,
});

it('puts each hour into its column, newest day first', () => {
  const hours = [hour('12T11', 'SURPLUS'), hour('13T23', 'BALANCED'), hour('15T01', 'BREACH')];
  const days = daysOf({ from: '2026-11-12T10:30:00.000Z', hours }, Date.parse('2026-11-15T10:30Z'));
  expect(days.map(({ startsAt }) => new Date(startsAt).toISOString().slice(0, 10))).toEqual([
    '2026-11-15',
    '2026-11-14',
    '2026-11-13',
    '2026-11-12',
  ]);
  expect(days[0]?.hours[1]?.status).toBe('BREACH');
  expect(days[2]?.hours[23]?.status).toBe('BALANCED');
  expect(days[3]?.hours[11]?.status).toBe('SURPLUS');
  expect(days.flatMap((day) => day.hours.filter(Boolean))).toHaveLength(hours.length);
});

it('says what was found in words', () => {
  const balanced = [hour('13T23', 'BALANCED'), hour('14T00', 'UNSETTLED')];
  expect(historyWords(balanced)).toBe('120 readings in 2 hours: no breaches.');
  expect(historyWords([{ ...hour('13T23', 'BALANCED'), readings: 1 }])).toBe(
    '1 reading in 1 hour: no breaches.',
  );
  const odd = [...balanced, hour('15T01', 'BREACH'), hour('15T02', 'SURPLUS')];
  expect(historyWords(odd)).toBe(
    '240 readings in 4 hours: 1 hour with a breach, 1 hour with a surplus.',
  );
});
