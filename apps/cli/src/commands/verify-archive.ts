//! `holdfast verify-archive`: verifies the archive of the audit chains, without server or database.
import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  ArchiveBroken,
  type ArchiveReport,
  ArchiveUnusable,
  verifyArchive,
} from '../archive/verify-archive.ts';
import { CommandFault, usageFault } from '../command-fault.ts';
import { countText } from '../terminal/words.ts';
import { does, type ProgramWorld } from './run.ts';

export function verifyArchiveCommand(world: ProgramWorld, program: Command): void {
  const command = program
    .command('verify-archive')
    .description('verify the archive of the audit log, without a server or a database')
    .argument('<folder>', 'the folder of HOLDFAST_AUDIT_EXPORT, or a copy of it')
    .requiredOption('--key <key>', 'Ed25519 public key: a PEM file, or SPKI (DER) in base64');
  does<{ key: string }>(world, command, async ({ terminal }, { key }, folder = '') => {
    const report = verified(folder, existsSync(key) ? readFileSync(key, 'utf8') : key);
    const { heads, links, at, chains, unsigned } = report;
    // In the form that `holdfast verify audit --anchors` reads.
    if (terminal.isJson)
      for (const { chain, position, hash } of chains)
        terminal.printJsonLine({ marketplaceId: chain, position, hash, time: at });
    else {
      for (const { chain, position, hash } of chains)
        terminal.print(`${chain} ${countText(position, 'link')}, head ${hash}`);
      terminal.print(
        `PASSED: ${countText(heads, 'head')}, ${countText(links, 'link')}, up to ${at}`,
      );
      if (unsigned > 0) terminal.print('  the newest segment has no head yet');
    }
  });
}

function verified(folder: string, key: string): ArchiveReport {
  try {
    return verifyArchive(folder, key);
  } catch (error) {
    if (error instanceof ArchiveUnusable) throw usageFault(error.message);
    if (error instanceof ArchiveBroken)
      throw new CommandFault(`BROKEN: ${error.message}`, { exit: 'failed', code: 'BROKEN' });
    throw error;
  }
}
