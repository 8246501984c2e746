//! Verifies an archive of audit chains, from its folder and a public key alone: every head is
//! signed and names the one before it, every segment is what its head says, and every chain
//! continues where it ended. It imports Node.js only, so that it can be read and run apart from
//! Holdfast.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ArchivedChain {
  readonly chain: string;
  readonly position: number;
  readonly hash: string;
}

export interface ArchiveReport {
  readonly heads: number;
  readonly links: number;
  /** When the newest head was signed. */
  readonly at: string;
  readonly chains: readonly ArchivedChain[];
  /** A segment without a head: a worker has not signed it yet. */
  readonly unsigned: number;
}

/** The archive is not what was written. */
export class ArchiveBroken extends Error {}

/** Nothing can be said about it: no archive, no key. */
export class ArchiveUnusable extends Error {}

const START = { position: 0, hash: '00'.repeat(32) };
const FILE = /^(head-(\d{12})\.json|segment-(\d{12})\.jsonl)$/;

export function verifyArchive(folder: string, keyText: string): ArchiveReport {
  const key = readKey(keyText);
  const { heads, segments } = listNumbers(folder);
  const newest = Math.max(0, ...heads);
  if (newest === 0) throw new ArchiveUnusable(`there is no head in ${folder}`);
  const ends = new Map<string, ArchivedChain>();
  let [previous, at, links]: [string | null, string, number] = [null, '', 0];
  for (let number = 1; number <= newest; number += 1) {
    const name = nameOf('head', number);
    const file = readPart(folder, name);
    const head = readHead(name, file, key);
    if (head.number !== number) throw new ArchiveBroken(`${name} is head ${head.number}`);
    if (head.previous !== previous)
      throw new ArchiveBroken(`${name} does not follow the head before it`);
    const segment = nameOf('segment', number);
    const text = readPart(folder, segment);
    if (sha256(text) !== head.segment)
      throw new ArchiveBroken(`${segment} was changed: ${name} has signed other content`);
    links += addSegment(segment, text, ends);
    compareEnds(name, head.chains, ends);
    previous = sha256(file);
    at = head.at;
  }
  const unsigned = [...segments].filter((number) => number > newest);
  // A worker writes a segment, then its head, then the next segment.
  const odd = unsigned.find((number) => number > newest + 1);
  if (odd !== undefined) throw new ArchiveBroken(`${nameOf('head', newest + 1)} is missing`);
  return { heads: newest, links, at, chains: [...ends.values()], unsigned: unsigned.length };
}

function readKey(text: string): KeyObject {
  try {
    const key = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below.
  }
  throw new ArchiveUnusable('the key is not an Ed25519 public key');
}

function listNumbers(folder: string): { heads: Set<number>; segments: Set<number> } {
  const [heads, segments] = [new Set<number>(), new Set<number>()];
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new ArchiveUnusable(`${folder} cannot be read: ${(error as Error).message}`);
  }
  for (const name of names) {
    const [, , head, segment] = FILE.exec(name) ?? [];
    if (head !== undefined) heads.add(Number(head));
    if (segment !== undefined) segments.add(Number(segment));
  }
  return { heads, segments };
}

function nameOf(kind: 'head' | 'segment', number: number): string {
  return `${kind}-${String(number).padStart(12, '0')}.${kind === 'head' ? 'json' : 'jsonl'}`;
}

function readPart(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ArchiveBroken(`${name} is missing`);
    throw new ArchiveUnusable(`${name} cannot be read: ${(error as Error).message}`);
  }
}

interface Head {
  readonly number: number;
  readonly at: string;
  readonly previous: string | null;
  readonly segment: string;
  readonly chains: readonly ArchivedChain[];
}

function readHead(name: string, file: string, key: KeyObject): Head {
  const [line = '', signature = ''] = file.split('\n');
  if (!verify(null, Buffer.from(line), key, Buffer.from(signature, 'base64')))
    throw new ArchiveBroken(`${name} has no signature of this key`);
  if (file !== `${line}\n${signature}\n`)
    throw new ArchiveBroken(`${name} has more than a head and its signature`);
  return JSON.parse(line) as Head;
}

/** Moves the ends of the chains on, and returns the number of links. */
function addSegment(name: string, text: string, ends: Map<string, ArchivedChain>): number {
  let end: ArchivedChain | undefined;
  let links = 0;
  for (const line of text.trimEnd().split('\n')) {
    const value = JSON.parse(line) as ArchivedChain | [number, string, string];
    if (!Array.isArray(value)) {
      end = value;
      const known = ends.get(end.chain) ?? START;
      if (end.position !== known.position || end.hash !== known.hash)
        throw new ArchiveBroken(`${name} does not continue ${end.chain} at ${known.position}`);
      continue;
    }
    const [position, , hash] = value;
    if (end === undefined || position !== end.position + 1)
      throw new ArchiveBroken(`${name} has a gap before position ${position}`);
    end = { chain: end.chain, position, hash };
    ends.set(end.chain, end);
    links += 1;
  }
  return links;
}

function compareEnds(
  name: string,
  signed: readonly ArchivedChain[],
  ends: ReadonlyMap<string, ArchivedChain>,
): void {
  const isSame = (one: ArchivedChain) => {
    const end = ends.get(one.chain);
    return end?.position === one.position && end.hash === one.hash;
  };
  if (signed.length !== ends.size || !signed.every(isSame))
    throw new ArchiveBroken(`${name} has signed other ends than the segments have`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
