//! Anchors: heads of audit chains that were recorded outside the database, for later comparison.
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../../platform/database/database.ts';

/**
 * Whose chain it is. `platform` is the chain of actions outside all marketplaces; a chain whose
 * marketplace has no row any more has its number only.
 */
export type ChainName = MarketplaceId | 'platform' | `number ${RowNumber}`;

/** At this position the chain had this hash. */
export interface Anchor {
  readonly marketplaceId: ChainName;
  readonly position: number;
  /** Hex. */
  readonly hash: string;
  /** When it was recorded, if the line has a time. */
  readonly time: string | null;
}

export type Anchors = ReadonlyMap<ChainName, readonly Anchor[]>;

export const NO_ANCHORS: Anchors = new Map();

/**
 * Reads JSON lines from `verify:audit --json` or from the log of the job `anchor-audit`. Sorts each
 * chain's anchors by position. Any other line is refused, so that no anchor is silently
 * skipped.
 */
export function readAnchors(text: string, where: string): Anchors {
  const anchors = new Map<ChainName, Anchor[]>();
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const anchor = readAnchor(line);
    if (anchor === undefined)
      throw new Error(`${where}:${at + 1} is not a valid anchor: ${line.slice(0, 100)}`);
    // The head of a chain that was already broken is no reference.
    if (anchor === 'broken') continue;
    const known = anchors.get(anchor.marketplaceId);
    if (known === undefined) anchors.set(anchor.marketplaceId, [anchor]);
    else known.push(anchor);
  }
  for (const each of anchors.values()) each.sort((one, other) => one.position - other.position);
  return anchors;
}

function readAnchor(line: string): Anchor | 'broken' | undefined {
  const { marketplaceId, position, hash, time, fault } = readObject(line);
  if (typeof marketplaceId !== 'string') return undefined;
  if (fault !== undefined && fault !== null) return 'broken';
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0)
    return undefined;
  return {
    marketplaceId: marketplaceId as ChainName,
    position,
    hash,
    time: typeof time === 'string' ? time : null,
  };
}

function readObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
