//! Signs the heads of the audit archive. A head that does not extend the one before it gets no
//! signature. A process of its own can take the key over: it needs nothing but the two texts.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { ChainName } from './anchors.ts';

/** How far a chain is archived. */
export interface ArchivedEnd {
  readonly chain: ChainName;
  readonly position: number;
  /** Hex. */
  readonly hash: string;
}

export interface ArchiveHead {
  readonly format: 1;
  /** From 1, without a gap; its segment has the same number. */
  readonly number: number;
  readonly at: string;
  /** SHA-256 of the previous head's file; null for the first. */
  readonly previous: string | null;
  /** SHA-256 of the segment's file. */
  readonly segment: string;
  /** Of every chain in the archive, not only of those in the segment. */
  readonly chains: readonly ArchivedEnd[];
}

export interface HeadSigner {
  /** The content of the head's file: the head in one line, its signature in another. */
  attest(head: ArchiveHead, previousFile: string | undefined): Promise<string>;
  /** Throws unless the file has a signature of this key. */
  open(file: string): ArchiveHead;
}

/** The key as PKCS #8, in base64. */
export function localHeadSigner(keyText: string): HeadSigner {
  const key = createPrivateKey({
    key: Buffer.from(keyText, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key);
  const open = (file: string): ArchiveHead => {
    const [line = '', signature = ''] = file.split('\n');
    if (!verify(null, Buffer.from(line), publicKey, Buffer.from(signature, 'base64')))
      throw new Error('the newest head of the archive has no signature of this key');
    return JSON.parse(line) as ArchiveHead;
  };
  return {
    open,
    attest: async (head, previousFile) => {
      checkExtends(head, previousFile, previousFile === undefined ? undefined : open(previousFile));
      const line = JSON.stringify(head);
      return `${line}\n${sign(null, Buffer.from(line), key).toString('base64')}\n`;
    },
  };
}

function checkExtends(
  head: ArchiveHead,
  previousFile: string | undefined,
  previous: ArchiveHead | undefined,
): void {
  const ends = new Map(head.chains.map((end) => [end.chain, end]));
  const isLonger = (previous?.chains ?? []).every(({ chain, position, hash }) => {
    const end = ends.get(chain);
    return end && (end.position > position || (end.position === position && end.hash === hash));
  });
  const digest = previousFile === undefined ? null : sha256(previousFile);
  if (head.number !== (previous?.number ?? 0) + 1 || head.previous !== digest || !isLonger)
    throw new Error(`head ${head.number} does not extend the one before it`);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
