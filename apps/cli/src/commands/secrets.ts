//! `holdfast secrets`: creates the secrets of a deployment, one file each, in a folder for each
//! process.
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { deploymentSecrets } from '../deployment/new-secrets.ts';
import { does, type ProgramWorld } from './run.ts';

interface SecretsOptions {
  readonly to: string;
  readonly database: string;
  readonly owner: string;
  readonly redis: string;
}

export function secretsCommand(world: ProgramWorld, program: Command): void {
  const secrets = program
    .command('secrets')
    .description('create the secrets of a deployment: one file each, in a folder for each process')
    .requiredOption('--to <folder>', 'a folder that is empty or does not exist')
    .option(
      '--database <url>',
      'URL of PostgreSQL, without a login',
      'postgres:///holdfast?host=/run/postgresql',
    )
    .option('--owner <name>', 'the login of the owner of the tables', 'postgres')
    .option('--redis <url>', 'URL of Redis or Valkey, or `none`', '/run/valkey/valkey.sock');
  does<SecretsOptions>(world, secrets, async ({ terminal }, { to, database, owner, redis }) => {
    const folder = resolve(world.folder, to);
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw usageFault(`${folder} is not empty`, 'secrets are not overwritten: name a new folder');
    if (!/^postgres(ql)?:\/\//.test(database)) throw usageFault(`invalid --database ${database}`);
    const files = deploymentSecrets({
      database,
      owner,
      redis: redis === 'none' ? undefined : redis,
    });
    mkdirSync(folder, { recursive: true });
    // Containers read single files as another user; on this machine the folder bars the way.
    chmodSync(folder, 0o700);
    for (const [process, ofProcess] of Object.entries(files)) {
      mkdirSync(join(folder, process));
      for (const [name, text] of Object.entries(ofProcess))
        writeFileSync(join(folder, process, name), text, { mode: 0o644 });
    }
    const names = Object.entries(files).map(([of, all]) => [of, Object.keys(all)]);
    if (terminal.isJson) return terminal.printJson({ folder, files: Object.fromEntries(names) });
    terminal.print(
      `Secrets created in ${folder}.`,
      'Store operator/master_key and worker/HOLDFAST_WALLET_KEYS in a safe place.',
    );
  });
}
