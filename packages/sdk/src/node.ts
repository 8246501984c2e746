//! The cursor store that needs a file system: for Node.js, Bun and Deno.
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CursorStore } from '#stream/cursor-store';

/**
 * Keeps the cursor in a file. A new one takes the old one's place in one step and is on the disk
 * before the event counts as dealt with, so a crash leaves the old cursor or the new, never half.
 */
export function fileCursorStore(path: string): CursorStore {
  return {
    async load() {
      try {
        const text = (await readFile(path, 'utf8')).trim();
        return text === '' ? undefined : text;
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async save(cursor) {
      const next = `${path}.new`;
      const file = await open(next, 'w');
      try {
        await file.writeFile(`${cursor}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(next, path);
      await syncFolder(dirname(path));
    },
  };
}

/** The new name is as durable as the text; where a folder cannot be synced it already is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
