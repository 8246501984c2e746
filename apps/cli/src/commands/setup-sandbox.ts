//! `holdfast setup-sandbox`: what `holdfast dev` does once for a new set, for a deployment with the
//! sandbox: webhooks, money for the platform wallets, a first API key and operators.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { readNamed } from '../deployment/named-file.ts';
import { furnish, type Readiness } from '../local-readiness.ts';
import { newSecrets } from '../local-secrets.ts';
import { fundHouse, sendWebhooks } from '../local-world.ts';
import { does, type ProgramWorld } from './run.ts';

export function setupSandboxCommand(world: ProgramWorld, program: Command): void {
  const setup = program
    .command('setup-sandbox')
    .description(
      'set up a deployment that uses the sandbox: webhooks, money for the platform wallets, a first API key and operators',
    )
    .option('--state <file>', 'where the result is stored; a second run prints it again');
  does<{ state?: string }>(world, setup, async ({ terminal }, { state }) => {
    const read = (name: string) => {
      const value = readNamed(world.env, name);
      if (value === undefined)
        throw usageFault(`${name} is missing`, `set ${name} or ${name}_FILE`);
      return value;
    };
    const [api, sandbox] = [read('HOLDFAST_URL'), read('HOLDFAST_SANDBOX_URL')];
    await sendWebhooks(sandbox, api, {
      escrow: read('ESCROW_WEBHOOK_SECRET'),
      payment: read('PAYMENT_WEBHOOK_SECRET'),
    });
    if (state !== undefined && existsSync(state))
      return terminal.printJson(JSON.parse(readFileSync(state, 'utf8')));
    await fundHouse(sandbox, read('HOLDFAST_MIGRATION_DATABASE_URL'));
    const secrets = { ...newSecrets(), masterKey: read('HOLDFAST_MASTER_KEY') };
    const ready = readinessOf(await furnish(api, secrets, sandbox));
    if (state !== undefined) writeFileSync(state, JSON.stringify(ready), { mode: 0o600 });
    return terminal.printJson(ready);
  });
}

/** Without secrets that the caller has, or that no process was given. */
function readinessOf(ready: Readiness) {
  const { apiKey, marketplaceId, operators } = ready;
  return { ready: true, apiKey, marketplaceId, operators };
}
