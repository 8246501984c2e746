//! The levels of a stop in words.
import type { MarketplaceStop } from '@holdfast/sdk';

type Level = MarketplaceStop['level'];

interface LevelWords {
  readonly name: string;
  readonly title: string;
  /** What the stop does, for the operator who is about to set it. */
  readonly lines: readonly string[];
}

const WORDS: Readonly<Record<Level, LevelWords>> = {
  PAYOUTS: {
    name: 'Payouts',
    title: 'Payouts stopped',
    lines: [
      'Rejects new withdrawals and confirmations of this marketplace.',
      'Everything else continues, and so do payouts that were already sent.',
    ],
  },
  MONEY: {
    name: 'Money',
    title: 'Marketplace frozen',
    lines: [
      'Rejects every call that moves money of this marketplace.',
      'Reads, disputes, incoming money and operations in progress continue.',
    ],
  },
  SIGNING: {
    name: 'Signing',
    title: 'Marketplace frozen, signing stopped',
    lines: [
      'Rejects every call that moves money of this marketplace.',
      'Signs and sends no transaction for it; operations in progress wait until the stop is lifted.',
    ],
  },
};

export const LEVELS = Object.keys(WORDS) as readonly Level[];

export function levelName(level: Level): string {
  return WORDS[level].name;
}

export function stopTitle(level: Level): string {
  return WORDS[level].title;
}

export function stopLines(level: Level): readonly string[] {
  return WORDS[level].lines;
}
