//! `holdfast keys`: API keys, from making one to taking it back.
import type { ApiKey, NewApiKey } from '@holdfast/sdk';
import type { Command } from 'commander';
import type { Column } from '../terminal/table.ts';
import { timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run, secondsIn } from './run.ts';
import { listCommand, showRecord } from './show.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  { head: 'ID', of: ({ id }) => id },
  { head: 'NAME', of: ({ name }) => name },
  { head: 'SCOPES', of: ({ scopes }) => scopes.join(',') },
  { head: 'MARKETPLACE', of: ({ marketplaceId }) => marketplaceId },
  { head: 'LAST USED', of: ({ lastUsedAt }) => timeText(lastUsedAt) },
  { head: 'ENDS', of: ({ revokedAt, expiresAt }) => timeText(revokedAt ?? expiresAt) },
];

interface NewKey {
  readonly name: string;
  readonly scopes: string;
  readonly marketplace?: string;
  readonly newMarketplace?: boolean;
  readonly expires?: string;
}

export function keysCommand(world: ProgramWorld, program: Command): void {
  const keys = program.command('keys').description('API keys (the master key makes and ends them)');
  const list = keys
    .command('list')
    .description('list keys, newest first')
    .option('--every', 'of every marketplace, with the master key');
  listCommand<ApiKey, { every?: boolean }>(world, list, COLUMNS, (run, { every, limit }) =>
    (every ? run.master() : run.holdfast()).keys.list({ limit }),
  );
  does(world, keys.command('me').description('which key is calling'), async (run) => {
    const me = await run.holdfast().keys.current();
    if (run.terminal.isJson) return run.terminal.sayJson(me);
    showRecord(run, { id: me.apiKeyId }, [
      ['name', me.apiKeyName],
      ['scopes', me.scopes.join(', ')],
      ['marketplace', me.marketplaceId],
      ['environment', me.environment],
    ]);
  });
  const create = keys
    .command('create <name>')
    .description('make a key; it is shown once')
    .option('--scopes <scopes>', 'read, write and support, comma-separated', 'read,write')
    .option('--marketplace <mkt>', 'whose; that of the calling key when absent')
    .option('--new-marketplace', 'make a marketplace for it')
    .option('--expires <time>', 'a date or time');
  does<NewKey>(world, create, async (run, options, name) => {
    const { expires: expiresAt } = options;
    const marketplaceId = await whoseKey(run, options);
    const scopes = options.scopes.split(',') as NewApiKey['scopes'];
    const input = { name, scopes: [...scopes], marketplaceId, expiresAt };
    showNewKey(run, await run.master().keys.create(input));
  });
  endCommands(world, keys);
}

/** Undefined: a new marketplace. */
async function whoseKey(run: Run, options: NewKey): Promise<string | undefined> {
  if (options.newMarketplace) return undefined;
  return options.marketplace ?? (await run.holdfast().keys.current()).marketplaceId;
}

function endCommands(world: ProgramWorld, keys: Command): void {
  const rotate = keys
    .command('rotate <id>')
    .description('make a successor; the old key works until the overlap ends (--yes)')
    .option('--overlap <span>', 'such as 0s, 2h or 1d', '1d')
    .option('--yes', 'the old key ends, and that is meant');
  does<{ overlap: string; yes?: boolean }>(world, rotate, async (run, options, id) => {
    const overlapSeconds = secondsIn(options.overlap);
    needsYes(options, `rotate ${id}: the old key ends after ${options.overlap}`);
    showNewKey(run, await run.master().keys.rotate(id, { overlapSeconds }));
  });
  const revoke = keys
    .command('revoke <id>')
    .description('take a key back at once, with every token made from it (--yes)')
    .option('--yes', 'it ends now, and that is meant');
  does<{ yes?: boolean }>(world, revoke, async (run, options, id) => {
    needsYes(options, `revoke ${id}: whoever uses it is refused from now on`);
    const key = await run.master().keys.revoke(id);
    showRecord(run, key, [
      ['name', key.name],
      ['revoked', timeText(key.revokedAt)],
    ]);
  });
}

/** The secret is told once: here, and never again. */
function showNewKey(run: Run, key: NewApiKey): void {
  showRecord(run, key, [
    ['key', key.key],
    ['name', key.name],
    ['scopes', key.scopes.join(', ')],
    ['marketplace', key.marketplaceId],
    ['expires', timeText(key.expiresAt)],
  ]);
  if (!run.terminal.isJson) run.terminal.note('  keep the key now: it is not shown again');
}
