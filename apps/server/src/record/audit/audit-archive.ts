//! The archive of the audit chains in a folder: numbered segments and their signed heads. A file is
//! there completely or not at all, and is never written a second time.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchivedEnd } from './head-signer.ts';

/** Links of a chain, after the end of what is archived of it. */
export interface SegmentPart {
  readonly after: ArchivedEnd;
  readonly links: readonly SegmentLink[];
}

export type SegmentLink = readonly [position: number, auditId: string, hash: string];

const DIGITS = 12;
const HEAD = new RegExp(`^head-(\\d{${DIGITS}})\\.json$`);
const READ_ONLY = 0o440;

export class AuditArchive {
  readonly folder: string;
  #newest = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The file of the newest head; undefined in an empty archive. */
  async newestHead(): Promise<string | undefined> {
    if (this.#newest === 0) {
      const numbers = (await readdir(this.folder)).map((name) => Number(HEAD.exec(name)?.[1] ?? 0));
      this.#newest = numbers.reduce((one, other) => Math.max(one, other), 0);
    }
    let newest = await this.#read(headName(this.#newest));
    for (;;) {
      const next = await this.#read(headName(this.#newest + 1));
      if (next === undefined) return newest;
      newest = next;
      this.#newest += 1;
    }
  }

  readSegment(number: number): Promise<string | undefined> {
    return this.#read(segmentName(number));
  }

  /** False when there is one already. */
  createSegment(number: number, text: string): Promise<boolean> {
    return this.#create(segmentName(number), text);
  }

  createHead(number: number, text: string): Promise<boolean> {
    return this.#create(headName(number), text);
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.folder, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #create(name: string, text: string): Promise<boolean> {
    const temporary = join(this.folder, `.${name}.${randomUUID()}`);
    await writeDurably(temporary, text);
    try {
      await link(temporary, join(this.folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await unlink(temporary);
    }
    await sync(this.folder);
    return true;
  }
}

const headName = (number: number) => `head-${String(number).padStart(DIGITS, '0')}.json`;
const segmentName = (number: number) => `segment-${String(number).padStart(DIGITS, '0')}.jsonl`;

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', READ_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is durable once its folder is. */
async function sync(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

export function segmentText(parts: readonly SegmentPart[]): string {
  const lines = parts.flatMap(({ after, links }) => [after, ...links]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export function readSegmentText(text: string): SegmentPart[] {
  const parts: { after: ArchivedEnd; links: SegmentLink[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const value = JSON.parse(line) as ArchivedEnd | SegmentLink;
    if ('chain' in value) parts.push({ after: value, links: [] });
    else parts.at(-1)?.links.push(value);
  }
  return parts;
}

/** Where a chain ends with this part. */
export function endOf({ after, links }: SegmentPart): ArchivedEnd {
  const last = links.at(-1);
  return last === undefined ? after : { chain: after.chain, position: last[0], hash: last[2] };
}
