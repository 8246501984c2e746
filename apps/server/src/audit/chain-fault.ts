//! What can be wrong with an audit chain, and the sentence that names the row.
import type { AuditId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../platform/database.ts';
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
  /** The journal entry that the row describes: what changed may be the one or the other. */
  readonly entryId: RowNumber | null;
  readonly says: string;
}

/** The last link that was found right. */
export interface Tip {
  readonly position: number;
  readonly hash: Buffer;
  readonly auditId: AuditId | null;
}

interface Place {
  readonly position: number;
  readonly auditId: AuditId | null;
  readonly entryId?: RowNumber | null;
}

function at(kind: ChainFault['kind'], place: Place, says: string): ChainFault {
  const { position, auditId, entryId = null } = place;
  return { kind, position, auditId, entryId, says };
}

function nameOf({ position, auditId }: Place): string {
  return auditId === null ? 'its beginning' : `${auditId} at position ${position}`;
}

export function rowMissing(link: Link): ChainFault {
  return at('row_missing', link, `the audit row ${nameOf(link)} is gone`);
}

export function entryMissing(link: Link): ChainFault {
  const says = `the journal entry ${link.entryId} of ${nameOf(link)} is gone`;
  return at('entry_missing', link, says);
}

/** One hash covers both, so it can't tell which of the two it was. */
export function rowChanged(link: Link): ChainFault {
  const entry = link.entryId === null ? '' : ` or its journal entry ${link.entryId}`;
  const says = `the audit row ${nameOf(link)}${entry} was changed, or a link before it taken out`;
  return at('row_changed', link, says);
}

export function linkChanged(link: Link): ChainFault {
  const says = `the hash of ${nameOf(link)} was changed: its row and what follows agree without it`;
  return at('link_changed', link, says);
}

export function linksSwapped(link: Link, other: Link): ChainFault {
  return at(
    'links_swapped',
    link,
    `${nameOf(link)} and ${nameOf(other)} stand in each other's place`,
  );
}

export function linkRepeated(link: Link, tip: Tip): ChainFault {
  return at(
    'link_repeated',
    link,
    `position ${tip.position} stands twice: ${nameOf(link)}, ${tip.auditId}`,
  );
}

/** The row whose link it was is known when it is still there. */
export function linkMissing(tip: Tip, next: Link | undefined, row: AuditId | null): ChainFault {
  const position = tip.position + 1;
  const where = next ? `between ${nameOf(tip)} and ${nameOf(next)}` : `after ${nameOf(tip)}`;
  const whose = row === null ? 'its row is gone too' : `the audit row ${row} has none`;
  return {
    kind: 'link_missing',
    position,
    auditId: row,
    entryId: null,
    says: `the link of position ${position} is missing, ${where}; ${whose}`,
  };
}

export function rowUnlinked(auditId: AuditId): ChainFault {
  const says = `the audit row ${auditId} has no link and does not wait for one`;
  return { kind: 'row_unlinked', position: null, auditId, entryId: null, says };
}

export function headDiffers(tip: Tip, headPosition: number): ChainFault {
  const says =
    headPosition === tip.position
      ? `the head carries another hash than ${nameOf(tip)}, where the chain ends`
      : `the head says position ${headPosition}, the chain ends with ${nameOf(tip)}`;
  return at('head_differs', tip, says);
}

export function anchorDiffers(link: Link, anchor: Anchor, fitting: number): ChainFault {
  const says =
    `${nameOf(link)} had another hash when it was noted${whenOf(anchor)}: ` +
    `something after position ${fitting} and up to it was rewritten`;
  return at('anchor_differs', link, says);
}

export function anchorBeyond(tip: Tip, anchor: Anchor): ChainFault {
  const says =
    `position ${anchor.position} was noted${whenOf(anchor)} and is gone: ` +
    `the chain ends with ${nameOf(tip)}`;
  return at('anchor_differs', tip, says);
}

export function chainMissing(anchor: Anchor): ChainFault {
  const says = `its chain was noted${whenOf(anchor)} and is gone with its marketplace`;
  return { kind: 'chain_missing', position: null, auditId: null, entryId: null, says };
}

function whenOf({ time }: Anchor): string {
  return time === null ? '' : ` at ${time}`;
}
