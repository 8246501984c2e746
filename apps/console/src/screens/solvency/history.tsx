//! The solvency readings hour by hour: a field of one colour means no breach.
import type { SolvencyHistory } from '@holdfast/sdk';
import { Stack, Text } from '@mantine/core';
import { clockNow } from '#app/now.ts';
import { useRead } from '#app/read.ts';
import { Loaded } from '#parts/loaded.tsx';
import { Panel } from '#parts/panel.tsx';
import { colorOf, wordsOf } from '#parts/state-badge.tsx';
import { absoluteWords, dayWords } from '#parts/words/time-words.ts';
import {
  daysOf,
  type HistoryDay,
  historyWords,
  readingsWords,
} from '#screens/solvency/history-days.ts';

const EVERY_MS = 60_000;

export function History() {
  const history = useRead(
    'Solvency',
    ['history'],
    (holdfast, signal) => holdfast.solvency.getHistory({ days: '7' }, { signal }),
    { everyMs: EVERY_MS },
  );
  return (
    <Panel title="History, last 7 days by hour">
      <Loaded of={history}>{(found) => <Shown history={found} />}</Loaded>
    </Panel>
  );
}

function Shown({ history }: { readonly history: SolvencyHistory }) {
  const { hours } = history;
  if (hours.length === 0)
    return (
      <Text size="sm">
        No readings yet. The first reading appears once the treasury holds USDC.
      </Text>
    );
  const found = historyWords(hours);
  return (
    <Stack gap="xs">
      <Text size="sm">{found} Each hour shows its worst reading.</Text>
      <div role="img" aria-label={found} className="hf-hours">
        {daysOf(history, clockNow()).map((day) => (
          <Day key={day.startsAt} day={day} />
        ))}
      </div>
      {hours
        .filter(({ status }) => status === 'BREACH')
        .map(({ hour }) => (
          <Text key={hour} size="sm" c="var(--hf-bad)">
            Breach in the hour starting {absoluteWords(Date.parse(hour))}
          </Text>
        ))}
    </Stack>
  );
}

function Day({ day: { startsAt, hours } }: { readonly day: HistoryDay }) {
  return (
    <>
      <span className="hf-hours-day">{dayWords(startsAt)}</span>
      {hours.map((one, hour) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
          key={hour}
          className="hf-hour"
          title={
            one === undefined
              ? `${dayWords(startsAt)}, ${hour}:00 UTC: no reading`
              : `${dayWords(startsAt)}, ${hour}:00 UTC: ${wordsOf(one.status)}, ${readingsWords(one.readings)}`
          }
          style={one === undefined ? undefined : { background: colorOf(one.status) }}
        />
      ))}
    </>
  );
}
