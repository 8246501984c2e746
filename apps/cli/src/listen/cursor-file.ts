//! Stores the cursor of `listen`; a crash leaves the old cursor or the new one, never half.
import { hash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface SavedCursor {
  readonly cursor: string;
  /** For a person who opens the file. */
  readonly from: string;
  readonly to: string;
}

export interface CursorFile {
  readonly path: string;
  read(): string | undefined;
  /** On the disk when it returns. */
  write(cursor: string): void;
}

interface Route {
  readonly from: string;
  readonly to: string;
  /** Whose events: two marketplaces of one server have two logs. */
  readonly whose: string;
}

/** One file for each pair of server and handler: two tails do not move each other's place. */
export function cursorFile(folder: string, { from, to, whose }: Route): CursorFile {
  const name = hash('sha256', JSON.stringify([from, to, whose]), 'hex').slice(0, 16);
  const path = join(folder, '.holdfast', 'listen', `${name}.json`);
  return {
    path,
    read: () => readSavedCursor(path)?.cursor,
    write: (cursor) =>
      replace(path, `${JSON.stringify({ cursor, from, to } satisfies SavedCursor)}\n`),
  };
}

function readSavedCursor(path: string): SavedCursor | undefined {
  try {
    const saved = JSON.parse(readFileSync(path, 'utf8')) as Partial<SavedCursor>;
    return typeof saved.cursor === 'string' ? (saved as SavedCursor) : undefined;
  } catch {
    return undefined;
  }
}

/** Written beside it, flushed, then put in its place; the folder is flushed too. */
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  const file = openSync(beside, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
