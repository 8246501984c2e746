//! Verifies the audit chains of all marketplaces and of the platform: recomputes each hash from its
//! row and names the first fault. It reads page by page without an open snapshot: rows and links
//! never change, so an end that was read once can be verified at any later time.
import { createHash } from 'node:crypto';
import type { AuditId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { type Anchor, type Anchors, type ChainName, NO_ANCHORS } from './anchors.ts';
import {
  BEFORE_ALL,
  type ChainEnd,
  findSwapped,
  findUnlinked,
  type Link,
  listChainEnds,
  readAsAuditor,
  readLinks,
} from './audit-chain.ts';
import {
  anchorBeyond,
  anchorDiffers,
  type ChainFault,
  chainMissing,
  entryMissing,
  headDiffers,
  linkChanged,
  linkMissing,
  linkRepeated,
  linksSwapped,
  rowChanged,
  rowMissing,
  rowUnlinked,
  type Tip,
} from './chain-fault.ts';

export interface Verdict {
  readonly marketplaceId: ChainName;
  /** The last verified position, and its hash in hex. */
  readonly position: number;
  readonly hash: string;
  /** The number of anchors it was compared with. */
  readonly anchors: number;
  /** The first fault, if any. */
  readonly fault: ChainFault | null;
}

export interface Verified {
  readonly chains: number;
  readonly links: number;
  readonly broken: number;
}

export interface VerifyOptions {
  readonly anchors?: Anchors;
  readonly onVerdict?: (verdict: Verdict) => void;
  readonly linksAtOnce?: number;
}

const CHAINS_AT_ONCE = 500;
const LINKS_AT_ONCE = 2000;
const ROWS_AT_ONCE = 20_000;
const BEGINNING: Tip = { position: 0, hash: Buffer.alloc(32), auditId: null };

export async function verifyAudit(
  client: pg.ClientBase,
  { anchors = NO_ANCHORS, onVerdict, linksAtOnce = LINKS_AT_ONCE }: VerifyOptions = {},
): Promise<Verified> {
  await readAsAuditor(client);
  const verified = { chains: 0, links: 0, broken: 0 };
  const report = (verdict: Verdict) => {
    verified.chains += 1;
    verified.links += verdict.position;
    if (verdict.fault !== null) verified.broken += 1;
    onVerdict?.(verdict);
  };
  const known = new Set<ChainName>();
  for (let after: RowNumber = BEFORE_ALL; ; ) {
    const ends = await listChainEnds(client, after, CHAINS_AT_ONCE);
    for (const end of ends) {
      known.add(end.marketplaceId);
      const recorded = anchors.get(end.marketplaceId) ?? [];
      report(await verifyChain(new Chain(client, end, recorded, linksAtOnce)));
    }
    const last = ends.at(-1);
    if (last === undefined) break;
    after = last.marketplace;
  }
  for (const [marketplaceId, [anchor]] of anchors)
    if (anchor !== undefined && !known.has(marketplaceId))
      report({ marketplaceId, position: 0, hash: '', anchors: 0, fault: chainMissing(anchor) });
  return verified;
}

async function verifyChain(chain: Chain): Promise<Verdict> {
  const fault = (await chain.walk()) ?? chain.compareEnd() ?? (await chain.compareRows());
  return {
    marketplaceId: chain.end.marketplaceId,
    position: chain.tip.position,
    hash: chain.tip.hash.toString('hex'),
    anchors: chain.compared,
    fault,
  };
}

/** One chain, verified from its start to the end that was read. */
class Chain {
  readonly end: ChainEnd;
  tip: Tip = BEGINNING;
  /** The number of anchors that matched. */
  compared = 0;
  readonly #client: pg.ClientBase;
  readonly #recorded: readonly Anchor[];
  readonly #atOnce: number;

  constructor(client: pg.ClientBase, end: ChainEnd, recorded: readonly Anchor[], atOnce: number) {
    this.#client = client;
    this.end = end;
    this.#recorded = recorded.filter(({ position }) => position > 0);
    this.#atOnce = atOnce;
  }

  async walk(): Promise<ChainFault | null> {
    const { marketplace, headPosition, lastPosition } = this.end;
    const upTo = Math.max(headPosition, lastPosition);
    const ends = (after: number) => Math.min(after + this.#atOnce, upTo);
    const pageAfter = async (after: number): Promise<Link[]> =>
      after < upTo ? readLinks(this.#client, marketplace, after, ends(after)) : [];
    let page = pageAfter(0);
    for (let after = 0; after < upTo; after = ends(after)) {
      const links = await page;
      // The next page is read while this one is hashed.
      page = pageAfter(ends(after));
      page.catch(() => undefined);
      for (const link of links) {
        const fault = await this.#step(link);
        if (fault !== null) return fault;
      }
      // Past the last link the head is compared; a gap before it means a missing link.
      if (this.tip.position >= lastPosition) return null;
      if (this.tip.position < ends(after)) return this.#gap(undefined);
    }
    return null;
  }

  async #step(link: Link): Promise<ChainFault | null> {
    if (link.position === this.tip.position) return linkRepeated(link, this.tip);
    if (link.position !== this.tip.position + 1) return this.#gap(link);
    if (link.content === null) return rowMissing(link);
    if (link.entryId !== null && !link.hasEntry) return entryMissing(link);
    const hash = hashOf(this.tip.hash, link.content);
    if (!hash.equals(link.hash)) return this.#diagnose(link, hash);
    const text = link.hash.toString('hex');
    for (;;) {
      const anchor = this.#recorded[this.compared];
      if (anchor?.position !== link.position) break;
      const fitting = this.#recorded[this.compared - 1]?.position ?? 0;
      if (anchor.hash !== text) return anchorDiffers(link, anchor, fitting);
      this.compared += 1;
    }
    this.tip = link;
    return null;
  }

  async #gap(next: Link | undefined): Promise<ChainFault> {
    return linkMissing(this.tip, next, await this.#findUnlinkedRow());
  }

  /** Distinguishes a swap, a changed link and a changed row: the next link has the right hash. */
  async #diagnose(link: Link, rightHash: Buffer): Promise<ChainFault> {
    const { marketplace, headPosition, headHash } = this.end;
    const { position } = link;
    const other = await findSwapped(this.#client, marketplace, link, this.tip.hash, rightHash);
    if (other !== undefined) return linksSwapped(link, other);
    const [next] = await readLinks(this.#client, marketplace, position, position + 1);
    const isRowRight =
      next === undefined
        ? position === headPosition && rightHash.equals(headHash)
        : next.content !== null && hashOf(rightHash, next.content).equals(next.hash);
    return isRowRight ? linkChanged(link) : rowChanged(link);
  }

  /** The head is stored apart from the links, and anchors outside the database. */
  compareEnd(): ChainFault | null {
    const { headPosition, headHash } = this.end;
    if (headPosition !== this.tip.position || !headHash.equals(this.tip.hash))
      return headDiffers(this.tip, headPosition);
    const beyond = this.#recorded[this.compared];
    return beyond === undefined ? null : anchorBeyond(this.tip, beyond);
  }

  async compareRows(): Promise<ChainFault | null> {
    const row = await this.#findUnlinkedRow();
    return row === null ? null : rowUnlinked(row);
  }

  async #findUnlinkedRow(): Promise<AuditId | null> {
    for (let after = ''; ; ) {
      const { last, unlinked } = await findUnlinked(
        this.#client,
        this.end.marketplace,
        after,
        ROWS_AT_ONCE,
      );
      if (unlinked !== null || last === null) return unlinked;
      after = last;
    }
  }
}

function hashOf(previous: Buffer, content: string): Buffer {
  return createHash('sha256').update(previous).update(content).digest();
}
