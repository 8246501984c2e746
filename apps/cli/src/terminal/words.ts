//! Formats times, amounts and long names for people.

/** 2026-11-15 11:32:16Z: in UTC, as all times here. */
export function timeText(instant: string | null | undefined): string | null {
  if (instant === null || instant === undefined) return null;
  return `${instant.slice(0, 19).replace('T', ' ')}Z`;
}

/** Only the time of day, with milliseconds: for what happens within a day. */
export function clockText(instant: string): string {
  return instant.slice(11, 23).replace('Z', '');
}

export function moneyText(amount: string, currency: string): string {
  return `${grouped(amount)} ${currency}`;
}

/** 1234567.89 as 1,234,567.89; digits stay text. */
function grouped(amount: string): string {
  const [whole = '', places] = amount.split('.');
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return places === undefined ? parted : `${parted}.${places}`;
}

/** 850 ms, 4.2 s, 3 min, 2 h, 5 d. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

/** A long name with its middle left out: GABC…WXYZ. */
export function shortText(text: string, columns = 20): string {
  if (text.length <= columns) return text;
  const head = Math.ceil((columns - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (columns - 1 - head))}`;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const TYPOS_MAX = 2;

/** The one that differs by a typo or two; undefined when none is that close. */
export function similarTo(text: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, typos: typosBetween(text, name) }))
    .toSorted((one, other) => one.typos - other.typos);
  return best !== undefined && best.typos <= TYPOS_MAX ? best.name : undefined;
}

/** Levenshtein: letters to insert, remove or replace. */
function typosBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (const [to, wanted] of Array.from(other).entries()) {
      const replaced = (row[to] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** 90, 90s, 15m, 36h, 14d or 2w in seconds; undefined when it is none of these. */
export function readSpan(text: string): number | undefined {
  const [, count, unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1);
}
