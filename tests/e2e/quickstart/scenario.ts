//! Runs the quickstart once: every step of the README in its order, timed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendants, leftAfter } from '../../../apps/cli/src/testing/processes.ts';
import { type ApiTarget, call } from '../../harness/api.ts';
import type { Step } from './readme.ts';
import { openTerminal, type Terminal } from './shell.ts';

export interface ScenarioResult {
  /** From `npx holdfast dev` to the first escrow that the reader's command released. */
  readonly releasedMs: number;
  /** From `npx holdfast dev` to the first event in the reader's handler. */
  readonly webhookMs: number;
  readonly stopMs: number;
  /** Processes that Ctrl-C did not end. */
  readonly left: number;
}

interface Workspace {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Replaces the package names, which are not in the registry. */
  readonly install: string | (() => void);
  /** Replaces the handler's port, which may be in use. */
  readonly handlerPort: number;
  /** Called after each step. */
  readonly onStep: (line: string, ms: number) => void;
}

const INSTALL_MS_MAX = 300_000;
const COMMAND_MS_MAX = 60_000;
const ORDER_ID = /ord_[0-9a-z]+/;

/** Commands that run until Ctrl-C, with the output that shows they are ready. */
const LASTING: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/^npx holdfast dev\b/, /Holdfast is ready/],
  [/^npx holdfast listen\b/, /http:\/\/127\.0\.0\.1:\d+/],
  [/webhooks\.mjs$/, /^/],
];

export async function runScenario(
  steps: readonly Step[],
  workspace: Workspace,
): Promise<ScenarioResult> {
  const lasting: Terminal[] = [];
  const progress = { devAt: 0, releasedMs: 0, orderId: '' };
  try {
    for (const step of steps) {
      if (step.kind === 'file') {
        writeFileSync(join(workspace.folder, step.name), withPort(step.text, workspace));
        continue;
      }
      const startedAt = performance.now();
      if (/^npx holdfast dev\b/.test(step.line)) progress.devAt = startedAt;
      const line = asTyped(step.line, workspace, progress.orderId);
      if (line === undefined) continue;
      const terminal = openTerminal(line, workspace);
      const [, ready] = LASTING.find(([command]) => command.test(step.line)) ?? [];
      if (ready === undefined) await terminal.ends(limitOf(step.line));
      else lasting.push(terminal);
      if (ready !== undefined) await terminal.shows(ready, COMMAND_MS_MAX);
      workspace.onStep(step.line, performance.now() - startedAt);
      if (!/^npx holdfast trigger order\.released/.test(step.line)) continue;
      progress.orderId = ORDER_ID.exec(terminal.output())?.[0] ?? '';
      await mustBeReleased(workspace.folder, progress.orderId);
      progress.releasedMs ||= performance.now() - progress.devAt;
    }
    const [, handler] = lasting;
    await handler?.shows(new RegExp(`^order\\.released ${progress.orderId}$`, 'm'), COMMAND_MS_MAX);
    const webhookMs = performance.now() - progress.devAt;
    const started = lasting.flatMap(({ pid }) => [pid, ...descendants(pid)]);
    const [stopMs = 0] = await Promise.all(lasting.map((terminal) => terminal.interrupt()));
    const left = (await leftAfter(1000, started)).length;
    return { releasedMs: progress.releasedMs, webhookMs, stopMs, left };
  } finally {
    await Promise.all(lasting.map((terminal) => terminal.interrupt()));
  }
}

function limitOf(line: string): number {
  return line.startsWith('npm install') ? INSTALL_MS_MAX : COMMAND_MS_MAX;
}

/**
 * Fills in the placeholders of a command, as a reader does. Undefined if the step is already done.
 */
function asTyped(line: string, workspace: Workspace, orderId: string): string | undefined {
  const { install } = workspace;
  if (!line.startsWith('npm install ')) return withPort(line.replace('ord_…', orderId), workspace);
  if (typeof install === 'string') return install;
  install();
  return undefined;
}

function withPort(text: string, { handlerPort }: Workspace): string {
  return text.replace(/\b3000\b/, String(handlerPort));
}

/** Checks with the API itself: the output of a command could be wrong. */
async function mustBeReleased(folder: string, orderId: string): Promise<void> {
  const file = readFileSync(join(folder, '.holdfast/dev.json'), 'utf8');
  const { bytes } = await call(JSON.parse(file) as ApiTarget, { path: `/orders/${orderId}` });
  const text = bytes.toString();
  if (!/"status":"(RELEASED|CLOSED)"/.test(text) || !text.includes('RELEASED'))
    throw new Error(`order ${orderId} is not released: ${text}`);
}
