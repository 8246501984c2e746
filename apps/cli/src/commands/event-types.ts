//! Reads the event types of `--types`: names, and groups of names.
import { EVENT_AGGREGATES, type EventType } from '@holdfast/sdk';
import { usageFault } from '../command-fault.ts';

const NAMES = Object.keys(EVENT_AGGREGATES) as readonly EventType[];

/** `order.released,dispute.*` as the names it stands for; undefined means all of them. */
export function readTypes(text: string | undefined): readonly EventType[] | undefined {
  if (text === undefined || text === '*') return undefined;
  return [...new Set(text.split(',').flatMap((part) => namesLike(part.trim())))];
}

/** An unknown name is refused: otherwise it would only match no events. */
function namesLike(part: string): readonly EventType[] {
  const found = part.endsWith('.*')
    ? NAMES.filter((name) => name.startsWith(part.slice(0, -1)))
    : NAMES.filter((name) => name === part);
  if (found.length > 0) return found;
  const group = part.split('.')[0] ?? '';
  const near = NAMES.filter((name) => name.startsWith(`${group}.`));
  const groups = [...new Set(NAMES.map((name) => `${name.split('.')[0]}.*`))];
  throw usageFault(
    `unknown event type ${part}`,
    `event types: ${(near.length > 0 ? near : groups).join(', ')}`,
  );
}
