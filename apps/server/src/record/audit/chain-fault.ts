//! The possible faults of an audit chain, each with a sentence that names the row.
import type { AuditId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Anchor } from './anchors.ts';
import type { Link } from './audit-chain.ts';

export interface ChainFault {
  readonly kind:
    | 'row_changed'
    | 'row_missing'
    | 'row_unlinked'
    | 'entry_missing'
    | 'link_changed'
    | 'link_missing'
    | 'link_repeated'
    | 'links_swapped'
    | 'head_differs'
    | 'anchor_differs'
    | 'chain_missing';
  readonly position: number | null;
  readonly auditId: AuditId | null;
  /** The journal entry that the row describes: either of the two may have changed. */
  readonly entryId: RowNumber | null;
  readonly message: string;
}

/** The last link that was verified. */
export interface Tip {
  readonly position: number;
  readonly hash: Buffer;
  readonly auditId: AuditId | null;
}

interface ChainPosition {
  readonly position: number;
  readonly auditId: AuditId | null;
  readonly entryId?: RowNumber | null;
}

function faultAt(
  kind: ChainFault['kind'],
  chainPosition: ChainPosition,
  message: string,
): ChainFault {
  const { position, auditId, entryId = null } = chainPosition;
  return { kind, position, auditId, entryId, message };
}

function nameOf({ position, auditId }: ChainPosition): string {
  return auditId === null ? 'the start of the chain' : `${auditId} at position ${position}`;
}

export function rowMissing(link: Link): ChainFault {
  return faultAt('row_missing', link, `audit row ${nameOf(link)} is missing`);
}

export function entryMissing(link: Link): ChainFault {
  const message = `journal entry ${link.entryId} of audit row ${nameOf(link)} is missing`;
  return faultAt('entry_missing', link, message);
}

/** One hash covers both, so it does not show which of the two changed. */
export function rowChanged(link: Link): ChainFault {
  const entry = link.entryId === null ? '' : ` or its journal entry ${link.entryId}`;
  const message = `audit row ${nameOf(link)}${entry} was changed, or an earlier link was removed`;
  return faultAt('row_changed', link, message);
}

export function linkChanged(link: Link): ChainFault {
  const message = `the stored hash of ${nameOf(link)} does not match; the row and the links after it are consistent`;
  return faultAt('link_changed', link, message);
}

export function linksSwapped(link: Link, other: Link): ChainFault {
  return faultAt('links_swapped', link, `${nameOf(link)} and ${nameOf(other)} are swapped`);
}

export function linkRepeated(link: Link, tip: Tip): ChainFault {
  return faultAt(
    'link_repeated',
    link,
    `position ${tip.position} is used twice: ${nameOf(link)}, ${tip.auditId}`,
  );
}

/** The row of the link is known when it still exists. */
export function linkMissing(tip: Tip, next: Link | undefined, row: AuditId | null): ChainFault {
  const position = tip.position + 1;
  const where = next ? `between ${nameOf(tip)} and ${nameOf(next)}` : `after ${nameOf(tip)}`;
  const whose = row === null ? 'its audit row is also missing' : `audit row ${row} has no link`;
  return {
    kind: 'link_missing',
    position,
    auditId: row,
    entryId: null,
    message: `the link at position ${position} is missing, ${where}; ${whose}`,
  };
}

export function rowUnlinked(auditId: AuditId): ChainFault {
  const message = `audit row ${auditId} has no link and is not queued for one`;
  return { kind: 'row_unlinked', position: null, auditId, entryId: null, message };
}

export function headDiffers(tip: Tip, headPosition: number): ChainFault {
  const message =
    headPosition === tip.position
      ? `the stored head has a different hash than ${nameOf(tip)}, the last link of the chain`
      : `the stored head is at position ${headPosition}, but the chain ends at ${nameOf(tip)}`;
  return faultAt('head_differs', tip, message);
}

export function anchorDiffers(link: Link, anchor: Anchor, fitting: number): ChainFault {
  const message =
    `${nameOf(link)} had a different hash when its anchor was recorded${whenOf(anchor)}: ` +
    `one or more rows between positions ${fitting + 1} and ${link.position} were rewritten`;
  return faultAt('anchor_differs', link, message);
}

export function anchorBeyond(tip: Tip, anchor: Anchor): ChainFault {
  const message =
    `position ${anchor.position} was anchored${whenOf(anchor)} but no longer exists: ` +
    `the chain ends at ${nameOf(tip)}`;
  return faultAt('anchor_differs', tip, message);
}

export function chainMissing(anchor: Anchor): ChainFault {
  const message =
    `an anchor was recorded${whenOf(anchor)}, ` +
    'but the chain and its marketplace no longer exist';
  return { kind: 'chain_missing', position: null, auditId: null, entryId: null, message };
}

function whenOf({ time }: Anchor): string {
  return time === null ? '' : ` at ${time}`;
}
