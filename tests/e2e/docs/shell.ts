//! Runs the commands of a page in one shell, and splits their output by block.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBase32 } from '@holdfast/kernel/base32';
import { prepareFolder, writeDevState } from '../../../apps/cli/src/dev/state-file.ts';
import type { Readiness } from '../../../apps/cli/src/local-readiness.ts';
import { totpCode } from '../../../apps/server/src/access/operators/totp.ts';
import type { Environment } from './environment.ts';
import { type Block, type Page, readPage } from './pages.ts';
import { outputOf } from './program.ts';
import type { ShownCall } from './reference-calls.ts';

export interface Ran {
  readonly block: Block;
  readonly output: string;
  /** The output that the page shows for the block. */
  readonly shown: string | undefined;
}

const MARK = '=== block ';

/** Pages rely on the function in the first block of the guide to orders. */
const PRELUDE = readPage('docs/guides/orders.md').blocks[0]?.text ?? '';

export async function runShell(page: Page, environment: Environment): Promise<Ran[]> {
  const blocks = page.blocks.filter((one) => one.language === 'sh');
  const variables = { PATH: `${environment.programs}:${process.env['PATH']}` };
  const outputs = await run([PRELUDE], blocks, environment.ready, variables, page.path);
  return blocks.map((block, at) => ({
    block,
    output: outputs[at] ?? '',
    shown: shownAfter(page, block),
  }));
}

/** Prints the status after the body. */
const CURL = `curl() { command curl -sS -w '\\n%{http_code}' "$@" || true; }`;
/** A stream does not end by itself, so curl disconnects after the status. */
const CURL_STREAM = `curl() {
  read -r _ status _ < <(command curl -sSN -D - "$@" 2> /dev/null)
  printf '\\n%s' "$status"
}`;
const REGISTER = `TOKEN=$(command curl -sS "$API/auth/register" \
  -H 'Content-Type: application/json' \
  -d '{"email":"reader@example.com","password":"correct horse","name":"Reader"}' |
  jq -r .data.token)`;
const SIGN_IN = `SIGNED_IN=$(command curl -sS -D headers "$API/api/v1/operators/sign-in" \
  -H "Origin: $API" -H 'Content-Type: application/json' -d "$OPERATOR_SIGN_IN")
CSRF=$(jq -r .data.data.csrfToken <<< "$SIGNED_IN")
SESSION=$(sed -nE 's/^set-cookie: holdfast_session=([^;]*).*/\\1/ip' headers)`;

export async function runCalls(
  calls: readonly ShownCall[],
  environment: Environment,
): Promise<{ readonly status: number; readonly body: string }[]> {
  const blocks = calls.map(({ endpoint, command }) => ({
    text: endpoint.rawResponse === 'event-stream' ? `${CURL_STREAM}\n${command}\n${CURL}` : command,
  }));
  const { apiKey, marketplaceId } = await environment.openMarketplace();
  const { api, sandbox = '', masterKey } = environment.ready;
  const ready = { ...environment.ready, apiKey, marketplaceId };
  const variables = {
    ...{ API: api, API_KEY: apiKey, SANDBOX: sandbox },
    ...{ MASTER_KEY: masterKey, MARKETPLACE: marketplaceId },
    OPERATOR_SIGN_IN: JSON.stringify(signInOf(environment)),
  };
  const prelude = [CURL, REGISTER, SIGN_IN];
  const outputs = await run(prelude, blocks, ready, variables, 'the API reference');
  return outputs.map((output) => {
    const printed = output.trim();
    return { status: Number(printed.slice(-3)), body: printed.slice(0, -3) };
  });
}

function signInOf({ ready }: Environment) {
  const admin = ready.operators.find(({ role }) => role === 'admin');
  if (admin === undefined) throw new Error('the set has no admin');
  const { email, password, totpSecret } = admin;
  return { email, password, totp: totpCode(decodeBase32(totpSecret), Date.now()) };
}

/** Runs all blocks in one shell, in a folder in which `holdfast dev` runs; returns each output. */
async function run(
  prelude: readonly string[],
  blocks: readonly { readonly text: string }[],
  ready: Readiness,
  variables: Readonly<Record<string, string>>,
  name: string,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-page-'));
  const script = [
    'set -euo pipefail',
    ...prelude,
    ...blocks.flatMap(({ text: code }, at) => [`printf '\\n${MARK}${at}\\n'`, code]),
  ].join('\n');
  writeFileSync(join(folder, 'page.sh'), script);
  prepareFolder(join(folder, '.holdfast'));
  writeDevState(join(folder, '.holdfast'), { ready, settings: {} });
  const child = spawn('bash', ['page.sh'], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await outputOf(child, name).finally(() => rmSync(folder, { recursive: true }));
  return output.split(new RegExp(`^${MARK}\\d+\n`, 'm')).slice(1);
}

/** The `text` block after a block shows its expected output. */
export function shownAfter({ blocks }: Page, block: Block): string | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === 'text' ? next.text : undefined;
}

/** `…` matches any text of a line, and any lines where it stands alone. */
export function isShown(shown: string, output: string): boolean {
  const escaped = `${shown.trim()}\n`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped.replace(/^ *…\n/gm, '(?:.*\\n)*?').replaceAll('…', '.*');
  return new RegExp(`^${pattern}$`).test(`${output.trim()}\n`);
}
