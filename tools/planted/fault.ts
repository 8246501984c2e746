//! A fault: one small mistake that a person could make, as a text and its replacement.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFunctionsMigrations } from '../generate/functions-migration.ts';

export interface Fault {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The damage to a user, an operator or a marketplace. */
  readonly why: string;
  /** For a file outside the import graph: the folder whose tests are tried first. */
  readonly near?: string;
}

/** Why the fault does not fit this tree; undefined when it can be planted. */
export function misfitOf(root: string, { file, find }: Fault): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    return `its file is gone: ${file}`;
  }
  const count = text.split(find).length - 1;
  if (count === 0) return `its text is gone from ${file}`;
  return count === 1 ? undefined : `its text occurs ${count} times in ${file}`;
}

/** Plants it, and gives what takes it out again. */
export function plant(root: string, fault: Fault): () => void {
  const misfit = misfitOf(root, fault);
  if (misfit !== undefined) throw new Error(`${fault.name}: ${misfit}`);
  const path = join(root, fault.file);
  const before = readFileSync(path, 'utf8');
  const write = (text: string) => {
    writeFileSync(path, text);
    // A function reaches a database by its migration.
    if (path.endsWith('.sql')) writeFunctionsMigrations(root);
  };
  write(before.replace(fault.find, () => fault.replace));
  return () => write(before);
}
