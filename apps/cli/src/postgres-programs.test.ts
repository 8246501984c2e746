import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canReach, embeddedPrograms } from './postgres-programs.ts';

const otherUser = { uid: 4_000_001, gid: 4_000_001 };

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('another user reaches a folder when every folder on the way lets it through', () => {
  const folder = emptyFolder();
  const inner = join(folder, 'inner');
  mkdirSync(inner, { mode: 0o755 });
  expect(canReach(inner, otherUser)).toBe(false);
  chmodSync(folder, 0o711);
  expect(canReach(inner, otherUser)).toBe(true);
});

test('programs that another user cannot reach are copied to where it can', () => {
  const home = emptyFolder();
  chmodSync(home, 0o711);
  const open = embeddedPrograms(home, undefined);
  expect(open?.bin).not.toContain(home);
  const closed = emptyFolder();
  const copied = embeddedPrograms(home, otherUser);
  // Where this repository lies decides which of the two it is.
  expect(canReach(copied?.bin ?? closed, otherUser)).toBe(true);
});
