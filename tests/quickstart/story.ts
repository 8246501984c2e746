//! One run of the quickstart: every step as the README has it, in its order, with its time.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendants, leftAfter } from '../../apps/cli/src/testing/processes.ts';
import { ask, type Door } from '../harness/api.ts';
import type { Step } from './readme.ts';
import { openTerminal, type Terminal } from './shell.ts';

export interface Told {
  /** From `npx holdfast dev` to the first escrow that our own command released. */
  readonly releasedMs: number;
  /** From `npx holdfast dev` to the first event in the handler of our own. */
  readonly webhookMs: number;
  readonly stopMs: number;
  /** Processes that Ctrl-C did not end. */
  readonly left: number;
}

interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** In place of the names in the registry, which has none of ours. */
  readonly install: string | (() => void);
  /** In place of the handler's, which somebody here may have. */
  readonly handlerPort: number;
  /** Is told each step when it is done. */
  readonly tell: (line: string, ms: number) => void;
}

const INSTALL_MS_MAX = 300_000;
const COMMAND_MS_MAX = 60_000;
const ORDER_ID = /ord_[0-9a-z]+/;

/** Commands that go on until Ctrl-C, with what they show when they are ready. */
const LASTING: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/^npx holdfast dev\b/, /Holdfast is running/],
  [/^npx holdfast listen\b/, /http:\/\/127\.0\.0\.1:\d+/],
  [/webhooks\.mjs$/, /^/],
];

export async function tellStory(steps: readonly Step[], place: Place): Promise<Told> {
  const lasting: Terminal[] = [];
  const told = { devAt: 0, releasedMs: 0, orderId: '' };
  try {
    for (const step of steps) {
      if (step.kind === 'file') {
        writeFileSync(join(place.folder, step.name), withPort(step.text, place));
        continue;
      }
      const begunAt = performance.now();
      if (/^npx holdfast dev\b/.test(step.line)) told.devAt = begunAt;
      const line = asTyped(step.line, place, told.orderId);
      if (line === undefined) continue;
      const terminal = openTerminal(line, place);
      const [, ready] = LASTING.find(([command]) => command.test(step.line)) ?? [];
      if (ready === undefined) await terminal.ends(limitOf(step.line));
      else lasting.push(terminal);
      if (ready !== undefined) await terminal.shows(ready, COMMAND_MS_MAX);
      place.tell(step.line, performance.now() - begunAt);
      if (!/^npx holdfast trigger order\.released/.test(step.line)) continue;
      told.orderId = ORDER_ID.exec(terminal.output())?.[0] ?? '';
      await mustBeReleased(place.folder, told.orderId);
      told.releasedMs ||= performance.now() - told.devAt;
    }
    const [, handler] = lasting;
    await handler?.shows(new RegExp(`^order\\.released ${told.orderId}$`, 'm'), COMMAND_MS_MAX);
    const webhookMs = performance.now() - told.devAt;
    const started = lasting.flatMap(({ pid }) => [pid, ...descendants(pid)]);
    const [stopMs = 0] = await Promise.all(lasting.map((terminal) => terminal.interrupt()));
    const left = (await leftAfter(1000, started)).length;
    return { releasedMs: told.releasedMs, webhookMs, stopMs, left };
  } finally {
    await Promise.all(lasting.map((terminal) => terminal.interrupt()));
  }
}

function limitOf(line: string): number {
  return line.startsWith('npm install') ? INSTALL_MS_MAX : COMMAND_MS_MAX;
}

/** A reader puts an id where the text has a placeholder. Undefined when it is done already. */
function asTyped(line: string, place: Place, orderId: string): string | undefined {
  const { install } = place;
  if (!line.startsWith('npm install ')) return withPort(line.replace('ord_…', orderId), place);
  if (typeof install === 'string') return install;
  install();
  return undefined;
}

function withPort(text: string, { handlerPort }: Place): string {
  return text.replace(/\b3000\b/, String(handlerPort));
}

/** Asked of the API itself: a command could say so and be wrong. */
async function mustBeReleased(folder: string, orderId: string): Promise<void> {
  const file = readFileSync(join(folder, '.holdfast/dev.json'), 'utf8');
  const { bytes } = await ask(JSON.parse(file) as Door, { path: `/orders/${orderId}` });
  const text = bytes.toString();
  if (!/"status":"(RELEASED|CLOSED)"/.test(text) || !text.includes('RELEASED'))
    throw new Error(`order ${orderId} is not released: ${text}`);
}
