//! `holdfast keys`: creates, rotates and revokes API keys.
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
  { head: 'VALID UNTIL', of: ({ revokedAt, expiresAt }) => timeText(revokedAt ?? expiresAt) },
];

interface NewKey {
  readonly name: string;
  readonly scopes: string;
  readonly marketplace?: string;
  readonly newMarketplace?: boolean;
  readonly expires?: string;
  readonly requestsPerMinute?: string;
}

export function keysCommand(world: ProgramWorld, program: Command): void {
  const keys = program.command('keys').description('list, create, rotate and revoke API keys');
  const list = keys
    .command('list')
    .description('list keys, newest first')
    .option('--all-marketplaces', 'list the keys of all marketplaces (requires the master key)');
  type Filters = { allMarketplaces?: boolean };
  listCommand<ApiKey, Filters>(world, list, COLUMNS, (run, { allMarketplaces, limit }) =>
    (allMarketplaces ? run.master() : run.holdfast()).keys.list({ limit }),
  );
  does(world, keys.command('me').description('show the API key in use'), async (run) => {
    const me = await run.holdfast().keys.current();
    if (run.terminal.isJson) return run.terminal.printJson(me);
    showRecord(run, { id: me.apiKeyId }, [
      ['name', me.apiKeyName],
      ['scopes', me.scopes.join(', ')],
      ['marketplace', me.marketplaceId],
      ['environment', me.environment],
    ]);
  });
  const create = keys
    .command('create <name>')
    .description('create a key; the key is shown only once (requires the master key)')
    .option('--scopes <scopes>', 'scopes, comma-separated: read, write, support', 'read,write')
    .option('--marketplace <mkt>', 'marketplace of the key (default: that of the API key in use)')
    .option('--new-marketplace', 'create a new marketplace for the key')
    .option('--expires <time>', 'date or time when the key expires')
    .option('--requests-per-minute <number>', 'rate limit of this key (default: that of all keys)');
  does<NewKey>(world, create, async (run, options, name) => {
    const { expires: expiresAt } = options;
    const marketplaceId = await whoseKey(run, options);
    const scopes = options.scopes.split(',') as NewApiKey['scopes'];
    const requestsPerMinute = options.requestsPerMinute && Number(options.requestsPerMinute);
    const input = {
      ...{ name, scopes: [...scopes], marketplaceId, expiresAt },
      ...(requestsPerMinute ? { requestsPerMinute } : {}),
    };
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
    .description(
      'replace a key; the old key works until the overlap ends (requires the master key and --yes)',
    )
    .option('--overlap <duration>', 'how long both keys work, such as 0s, 2h or 1d', '1d')
    .option('--yes', 'confirm: the old key stops working after the overlap');
  does<{ overlap: string; yes?: boolean }>(world, rotate, async (run, options, id) => {
    const overlapSeconds = secondsIn(options.overlap);
    needsYes(options, `the old key stops working ${options.overlap} after rotating ${id}`);
    showNewKey(run, await run.master().keys.rotate(id, { overlapSeconds }));
  });
  const revoke = keys
    .command('revoke <id>')
    .description('revoke a key and its tokens immediately (requires the master key and --yes)')
    .option('--yes', 'confirm: cannot be undone');
  does<{ yes?: boolean }>(world, revoke, async (run, options, id) => {
    needsYes(options, `revoking ${id} takes effect immediately and cannot be undone`);
    const key = await run.master().keys.revoke(id);
    showRecord(run, key, [
      ['name', key.name],
      ['revoked', timeText(key.revokedAt)],
    ]);
  });
}

/** The secret is shown once. */
function showNewKey(run: Run, key: NewApiKey): void {
  showRecord(run, key, [
    ['key', key.key],
    ['name', key.name],
    ['scopes', key.scopes.join(', ')],
    ['marketplace', key.marketplaceId],
    ['expires', timeText(key.expiresAt)],
    ...(key.requestsPerMinute === undefined
      ? []
      : [['requests per minute', String(key.requestsPerMinute)] as [string, string]]),
  ]);
  if (!run.terminal.isJson) run.terminal.printStderr('  save this key now: it is not shown again');
}
