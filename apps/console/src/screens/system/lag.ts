//! Texts and colours of the system screen: names, waiting times, and when one is too long.
import { wordsOf } from '#parts/state-badge.tsx';

const LATE_SECONDS = 60;
const TOO_LATE_SECONDS = 600;

export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(seconds / 3_600);
  if (hours < 24) return `${hours} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** As "Escrow provider" for escrowProvider, and "Fund escrow" for fund-escrow. */
export function spaced(name: string): string {
  return wordsOf(name.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_'));
}

/** Where the words of a name are not those that people use. */
const LABELS: Readonly<Record<string, string>> = {
  engine: 'Workflow engine',
  history: 'Database history',
  inbox: 'Provider notifications',
  ledgerNetwork: 'Blockchain',
  mirror: 'Address transfers',
  topups: 'Top-ups',
};

/** The name of a dependency or a queue. */
export function nameWords(name: string): string {
  return (Object.hasOwn(LABELS, name) ? LABELS[name] : undefined) ?? spaced(name);
}

/** A colour for what waits too long; undefined for what does not. */
export function lagTone(seconds: number | null): string | undefined {
  if (seconds === null || seconds < LATE_SECONDS) return undefined;
  return seconds < TOO_LATE_SECONDS ? 'var(--hf-warn)' : 'var(--hf-bad)';
}
