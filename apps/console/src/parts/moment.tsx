//! A moment: absolute and relative, by the service's clock.
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { clockNow } from '#app/now.ts';
import { absoluteWords, relativeWords } from '#parts/time-words.ts';

const EVERY_MS = 15_000;

/** One timer for all moments on the page. */
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function onTick(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    for (const one of listeners) one();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

interface Props {
  readonly at: string | null | undefined;
  /** Only how long ago, with the moment itself in the title: for narrow places. */
  readonly isShort?: boolean;
}

export function Moment({ at, isShort = false }: Props) {
  const [, setTick] = useState(0);
  useEffect(() => onTick(() => setTick((before) => before + 1)), []);
  if (at === null || at === undefined) return <span>–</span>;
  const ms = Date.parse(at);
  const absolute = absoluteWords(ms);
  const relative = relativeWords(ms, clockNow());
  return (
    <time className="hf-moment" dateTime={at} title={absolute}>
      {isShort ? relative : absolute}
      {!isShort && (
        <Text component="span" inherit c="dimmed" className="hf-moment-ago">
          {relative}
        </Text>
      )}
    </time>
  );
}
