//! Runs the commands of a page in one shell, and splits what they say by block.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { totpCode } from '../../apps/server/src/operators/totp.ts';
import { unbase32 } from '../../apps/server/src/testing/operators.ts';
import { type Block, type Page, readPage } from './pages.ts';
import { outputOf } from './program.ts';
import type { ShownCall } from './reference-calls.ts';
import type { Stage } from './stage.ts';

export interface Ran {
  readonly block: Block;
  readonly output: string;
  /** What the page shows as the output of the block. */
  readonly shown: string | undefined;
}

const MARK = '=== block ';

/** Pages lean on the function that the guide to orders begins with. */
const PRELUDE = readPage('docs/guides/orders.md').blocks[0]?.text ?? '';

export async function runShell(page: Page, stage: Stage): Promise<Ran[]> {
  const blocks = page.blocks.filter((one) => one.language === 'sh');
  const outputs = await run([PRELUDE], blocks, stage, page.path);
  return blocks.map((block, at) => ({
    block,
    output: outputs[at] ?? '',
    shown: shownAfter(page, block),
  }));
}

/** The answer's status is told behind its body. */
const CURL = `curl() { command curl -sS -w '\\n%{http_code}' "$@" || true; }`;
/** A stream does not end by itself: whoever has seen its status leaves. */
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
  stage: Stage,
): Promise<{ readonly status: number; readonly body: string }[]> {
  const blocks = calls.map(({ endpoint, command }) => ({
    text: endpoint.rawResponse === 'event-stream' ? `${CURL_STREAM}\n${command}\n${CURL}` : command,
  }));
  const outputs = await run([CURL, REGISTER, SIGN_IN], blocks, stage, 'the API reference');
  return outputs.map((output) => {
    const said = output.trim();
    return { status: Number(said.slice(-3)), body: said.slice(0, -3) };
  });
}

function signInOf({ ready }: Stage) {
  const admin = ready.operators.find(({ role }) => role === 'admin');
  if (admin === undefined) throw new Error('the set has an admin');
  const { email, password, totpSecret } = admin;
  return { email, password, totp: totpCode(unbase32(totpSecret), Date.now()) };
}

/** One shell for all blocks, as a reader has it; what each said. */
async function run(
  prelude: readonly string[],
  blocks: readonly { readonly text: string }[],
  stage: Stage,
  name: string,
): Promise<string[]> {
  const { apiKey, marketplaceId } = await stage.openMarketplace();
  const { api, sandbox, masterKey } = stage.ready;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-page-'));
  const script = [
    'set -euo pipefail',
    ...prelude,
    ...blocks.flatMap(({ text: code }, at) => [`printf '\\n${MARK}${at}\\n'`, code]),
  ].join('\n');
  writeFileSync(join(folder, 'page.sh'), stage.moved(script));
  const child = spawn('bash', ['page.sh'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${stage.programs}:${process.env['PATH']}`,
      API: api,
      API_KEY: apiKey,
      HOLDFAST_URL: api,
      HOLDFAST_API_KEY: apiKey,
      MASTER_KEY: masterKey,
      MARKETPLACE: marketplaceId,
      OPERATOR_SIGN_IN: JSON.stringify(signInOf(stage)),
      SANDBOX: sandbox ?? '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await outputOf(child, name).finally(() => rmSync(folder, { recursive: true }));
  return output.split(new RegExp(`^${MARK}\\d+\n`, 'm')).slice(1);
}

/** The `text` block that follows is what a reader is told to see. */
export function shownAfter({ blocks }: Page, block: Block): string | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === 'text' ? next.text : undefined;
}

/** `…` stands for anything. */
export function isShown(shown: string, output: string): boolean {
  const escaped = shown.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '[^\\n]*')}$`).test(output.trim());
}
