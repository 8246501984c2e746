//! The sandbox's store: named records, in memory and in an append-only file.
//!
//! A commit is one line, written before the client gets its response. The operating system keeps
//! written data when the process is killed, so `kill -9` loses nothing. A torn last line is lost.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const CHUNK_CHARACTERS = 1_000_000;

type Json = unknown;
/** Kind, id, and the record; null removes it. */
export type Change = readonly [kind: string, id: string, value: Json];

export class Store {
  readonly #file: string | undefined;
  #descriptor: number | undefined;
  #kinds = new Map<string, Map<string, Json>>();
  #isClosed = false;

  /** Without a folder nothing is kept: for tests that do not restart. */
  constructor(folder?: string) {
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, 'world.jsonl');
    if (existsSync(this.#file)) this.#replay(readFileSync(this.#file, 'utf8'));
    this.#compact();
  }

  /** Makes all changes together or, after a crash, none of them. */
  commit(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    if (this.#descriptor !== undefined)
      writeSync(this.#descriptor, `${JSON.stringify(changes, encode)}\n`);
    for (const change of changes) this.#apply(change);
  }

  put(kind: string, id: string, value: Json): void {
    this.commit([[kind, id, value]]);
  }

  get<T>(kind: string, id: string): T | undefined {
    return this.#kinds.get(kind)?.get(id) as T | undefined;
  }

  /** All records of a kind, in the order in which they first came. */
  all<T>(kind: string): T[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])] as T[];
  }

  count(kind: string): number {
    return this.#kinds.get(kind)?.size ?? 0;
  }

  /** Forgets everything. */
  reset(): void {
    this.#kinds = new Map();
    if (this.#file === undefined) return;
    this.#closeFile();
    rmSync(this.#file, { force: true });
    this.#descriptor = openSync(this.#file, 'a');
  }

  /** Work planned for later finds its record missing, and does nothing. */
  close(): void {
    this.#closeFile();
    this.#kinds = new Map();
    this.#isClosed = true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #closeFile(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #apply([kind, id, value]: Change): void {
    let records = this.#kinds.get(kind);
    if (records === undefined) {
      records = new Map();
      this.#kinds.set(kind, records);
    }
    if (value === null) records.delete(id);
    else records.set(id, value);
  }

  #replay(text: string): void {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      let changes: Change[];
      try {
        changes = JSON.parse(line, decode) as Change[];
      } catch {
        return; // Torn by a crash: it was never acknowledged.
      }
      for (const change of changes) this.#apply(change);
    }
  }

  /** One line per record, not per change. Swapped in whole: a crash keeps the old file. */
  #compact(): void {
    const file = this.#file as string;
    const next = `${file}.next`;
    const descriptor = openSync(next, 'w');
    let lines = '';
    for (const [kind, records] of this.#kinds) {
      for (const [id, value] of records) {
        lines += `${JSON.stringify([[kind, id, value]], encode)}\n`;
        if (lines.length < CHUNK_CHARACTERS) continue;
        writeSync(descriptor, lines);
        lines = '';
      }
    }
    writeSync(descriptor, lines);
    closeSync(descriptor);
    renameSync(next, file);
    this.#descriptor = openSync(file, 'a');
  }
}

/** Amounts are bigint stroops; JSON has no such thing. */
function encode(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $big: String(value) } : value;
}

function decode(_: string, value: unknown): unknown {
  const isBig = value !== null && typeof value === 'object' && '$big' in value;
  return isBig ? BigInt((value as { $big: string }).$big) : value;
}
