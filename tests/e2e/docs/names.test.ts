//! Every call, event, command and setting that a page names exists. tools/tidy checks paths, links,
//! npm scripts and error codes.

import { readFileSync } from 'node:fs';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { EVENT_NAMES } from '@holdfast/contract/events';
import { TEST_EVENT_TYPE } from '@holdfast/contract/records/webhook-records';
import { SURFACE_A_BASE, surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { describe, expect, it } from 'vitest';
import { settings } from '../../../apps/server/src/platform/config/settings.ts';
import * as alarms from '../../../apps/server/src/platform/process/alarms.ts';
import { type Command, cliProgram } from '../../../tools/generate/cli-page.ts';
import { handWritten, type Page, ROOT, readPage } from './pages.ts';

const pages: readonly Page[] = [...handWritten, readPage('README.md')];

/** Inline code, outside of code blocks. */
function inlineCode({ text }: Page): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
}

const routes = Object.values<Endpoint>({ ...surfaceA, ...surfaceB }).flatMap((one) => {
  const form = one.path.replace(/\{\w+\}/g, '(\\{\\w+\\}|[\\w$"…-]+)');
  const base = one.surface === 'a' ? `(${SURFACE_A_BASE})?` : '';
  return [{ method: one.method, path: new RegExp(`^${base}${form}$`) }];
});
const CONTROL = readFileSync(`${ROOT}/apps/sandbox/src/control/control.ts`, 'utf8');

function isRoute(method: string, path: string): boolean {
  const [bare = ''] = path.split('?');
  const control = bare.replaceAll(/\{(\w+)\}/g, ':$1');
  if (bare.startsWith('/control/')) return CONTROL.includes(`['${method}', '${control}'`);
  return routes.some((one) => one.method === method && one.path.test(bare));
}

describe.each(pages.map((page) => [page.path, page] as const))('%s', (_, page) => {
  it('names only existing calls', () => {
    const named = inlineCode(page).flatMap((word) => {
      const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(word) ?? [];
      return method === undefined || path === undefined || isRoute(method, path) ? [] : [word];
    });
    const called = [
      ...page.text.matchAll(/\b(?:call|master) (GET|POST|PUT|PATCH|DELETE) ["']?(\/[^\s"']+)/g),
    ];
    const unknown = called.filter(([, method = '', path = '']) => !isRoute(method, path));
    expect([...named, ...unknown.map(([text]) => text)]).toEqual([]);
  });

  it('names only existing events', () => {
    const like = /^(user|balance|topup|order|escrow|dispute|withdrawal|webhook)\.[a-z_]+$/;
    const isFile = /\.(ts|mjs)$/;
    const named = inlineCode(page).filter((word) => like.test(word) && !isFile.test(word));
    const known = new Set<string>([...EVENT_NAMES, TEST_EVENT_TYPE]);
    expect(named.filter((word) => !known.has(word))).toEqual([]);
  });

  it('names only existing commands and options of holdfast', () => {
    const shell = page.blocks
      .filter(({ language }) => ['', 'sh', 'bash'].includes(language))
      .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
    const faults = [...shell, ...inlineCode(page)].flatMap((line) => {
      const [, words] = /^\s*(?:npx )?holdfast((?: [^\s|>&;]+)+)/.exec(line) ?? [];
      return words === undefined ? [] : faultsOfCommand(words.trim().split(' '));
    });
    expect(faults).toEqual([]);
  });

  it('shows valid JSON', () => {
    for (const { language, text } of page.blocks) if (language === 'json') JSON.parse(text);
  });

  it('shows only existing settings', () => {
    const named = page.blocks
      .filter(({ language }) => language === 'env')
      .flatMap(({ text }) => [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));
    expect(named.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  });

  it('uses only known languages for blocks', () => {
    const known = ['sh', 'text', 'ts', 'js', 'json', 'env', 'toml', ''];
    expect(page.blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  });
});

function faultsOfCommand(words: readonly string[]): string[] {
  let command: Command = cliProgram();
  const options = [...command.options];
  const faults: string[] = [];
  for (const word of words) {
    const [flag = ''] = word.split('=');
    const inner = command.commands.find((one) => one.name() === word);
    if (inner !== undefined) {
      command = inner;
      options.push(...inner.options);
    } else if (flag.startsWith('--')) {
      if (flag !== '--help' && !options.some(({ long }) => long === flag))
        faults.push(`holdfast ${words.join(' ')}: no option ${flag}`);
    } else if (command.commands.length > 0 && /^[a-z-]+$/.test(word)) {
      faults.push(`holdfast ${words.join(' ')}: no command ${word}`);
    }
  }
  return faults;
}

it('repeats the commands of README.md on its front page', () => {
  const commands = ({ blocks }: Page) =>
    blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const shown = commands(readPage('docs/index.md'));
  expect(shown.length).toBeGreaterThan(1);
  for (const command of shown) expect(commands(readPage('README.md'))).toContain(command);
});

it('shows the Restate settings that the tests use', () => {
  const ours = readFileSync(`${ROOT}/apps/cli/src/local-restate.ts`, 'utf8');
  const [block] = readPage('docs/operations/restate.md').blocks.filter(
    ({ language }) => language === 'toml',
  );
  const lines = block?.text.split('\n').filter((line) => line !== '') ?? [];
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(ours).toContain(line);
});

it('names only existing log lines, and every one that has an alarm', () => {
  const rows = handWritten.flatMap(({ text }) => text.match(/\blog(?: lines?| has) .*/g) ?? []);
  const named = rows.flatMap((row) => [...(row.split('|')[0] ?? '').matchAll(/`([a-z -]+)`/g)]);
  const texts = new Set(named.map(([, text = '']) => text));
  const known = Object.values<string>(alarms);
  expect([...texts].filter((text) => !known.includes(text))).toEqual([]);
  const written = handWritten.map(({ text }) => text).join('\n');
  expect(known.filter((text) => !written.includes(`\`${text}\``))).toEqual([]);
});
