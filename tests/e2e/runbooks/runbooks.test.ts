//! Runs the commands of every runbook against a running set, which is brought into the situation
//! that the page is for, and compares what they print with what the page shows.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALERTS, runbookOf } from '../../../tools/telemetry/alert-table.ts';
import { type Block, handWritten, type Page, readPage } from '../docs/pages.ts';
import { isShown, shownAfter } from '../docs/shell.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { NOT_RUN } from './not-run.ts';
import { Shell } from './shell.ts';
import { openCase, variablesOf } from './situation.ts';
import { COMMON, SEPARATE } from './situations.ts';

const FOLDER = 'docs/operations/runbooks/';
const HEADINGS = [
  ...['What you see', 'Is it real?', 'Stop the damage'],
  ...['Repair', 'Check', 'Afterwards'],
];

const SITUATIONS = { ...SEPARATE, ...COMMON };

/** A machine that has little time for us is no failure. */
const PAGE_MS_MAX = 600_000;

const index = readPage(`${FOLDER}index.md`);
const nameOf = ({ path }: Page) => path.slice(FOLDER.length, -'.md'.length);
const pages = handWritten.filter(({ path }) => path.startsWith(FOLDER) && path !== index.path);
const commandsOf = ({ blocks }: Page) => blocks.filter(({ language }) => language === 'sh');

/** The commands that are only shown: text that is not what the commands before it print. */
function notRunIn(page: Page): string[] {
  const shown = new Set(
    commandsOf(page).map((block) => page.blocks[page.blocks.indexOf(block) + 1]),
  );
  return page.blocks
    .filter((block) => block.language !== 'sh' && !shown.has(block))
    .flatMap(({ text }) => text.trim().split('\n'));
}

describe('the runbooks', () => {
  it('are those that the index lists, each with its situation', () => {
    const listed = [...index.text.matchAll(/^\| \d+ .*?\]\(([\w-]+)\.md\)/gm)].map(
      ([, name]) => name,
    );
    expect([...listed].sort()).toEqual(pages.map(nameOf).sort());
    expect(Object.keys(SITUATIONS).sort()).toEqual(pages.map(nameOf).sort());
  });

  it.each(pages)('$path has the same sections, and commands in them', (page) => {
    const headings = [...page.text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(HEADINGS);
    expect(commandsOf(page).length).toBeGreaterThan(1);
    // Blocks in a list are not seen.
    expect(page.text).not.toMatch(/^ +```/m);
  });

  it.each(pages)('$path has no other commands than those that are run, but the listed', (page) => {
    expect(notRunIn(page)).toEqual(NOT_RUN[nameOf(page)]?.lines ?? []);
  });

  it('are where the alerts lead to', () => {
    const names = new Set(pages.map(nameOf));
    for (const alert of ALERTS) {
      const [, name] = /^\/docs\/operations\/runbooks\/([\w-]+)\/$/.exec(runbookOf(alert)) ?? [];
      if (name !== undefined) expect(names, alert.name).toContain(name);
      if (name !== undefined)
        expect(readPage(`${FOLDER}${name}.md`).text).toContain(
          `../alerts.md#${alert.name.toLowerCase()}`,
        );
    }
  });
});

describe('the commands for', () => {
  let opened: Environment;
  let opening: Promise<Environment> | undefined;
  beforeAll(async () => {
    opening = openEnvironment();
    opened = await opening;
  }, 300_000);
  afterAll(async () => {
    // Stops the set even if it opened after the tests gave up.
    await (await opening?.catch(() => undefined))?.stop();
  }, 300_000);

  const pagesOf = (situations: object) =>
    Object.keys(situations).flatMap((name) => pages.filter((page) => nameOf(page) === name));

  describe('one marketplace, run concurrently, of', () => {
    it.concurrent.for(pagesOf(SEPARATE))('$path', { timeout: PAGE_MS_MAX }, (page) =>
      runWithJournal(page, opened),
    );
  });

  describe('the whole set, run one after another, of', () => {
    it.for(pagesOf(COMMON))('$path', { timeout: PAGE_MS_MAX }, (page) =>
      runWithJournal(page, opened),
    );
  });
});

const LINES_SHOWN = 20;

/** With the last warnings of the processes, if it fails. */
async function runWithJournal(page: Page, opened: Environment): Promise<void> {
  try {
    await runPage(page, opened);
  } catch (error) {
    const lines = readFileSync(opened.journal, 'utf8').split('\n');
    const warnings = lines.filter((line) => /"level":[45]0/.test(line)).slice(-LINES_SHOWN);
    (error as Error).message += `\n${warnings.map(warningText).join('\n')}`;
    throw error;
  }
}

function warningText(line: string): string {
  const { time, role, msg, err } = JSON.parse(line) as Record<string, string> & {
    err?: { message: string };
  };
  return [time, role, msg, err?.message].join(' ');
}

async function runPage(page: Page, opened: Environment): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const one = await openCase(opened, nameOf(page), cleanup);
  const situation = SITUATIONS[nameOf(page)];
  if (situation === undefined) throw new Error(`${page.path} has no situation`);
  const more = await situation.start(one);
  await using shell = new Shell(one.set.folder, { ...variablesOf(one), ...more });
  for (const block of commandsOf(index)) await shell.run(block.text);
  const left = new Map(Object.entries(situation.before ?? {}));
  for (const block of commandsOf(page)) {
    const heading = headingOf(page, block);
    await left.get(heading)?.(one);
    left.delete(heading);
    const output = await shell.run(block.text);
    const where = `${page.path}:${block.line} prints\n${output}\n`;
    expect(isShown(shownAfter(page, block) ?? '', output), where).toBe(true);
  }
  expect([...left.keys()], `${page.path} has no commands in these sections`).toEqual([]);
}

function headingOf({ text }: Page, { line }: Block): string {
  const above = text.split('\n').slice(0, line);
  return above.findLast((each) => each.startsWith('## '))?.slice('## '.length) ?? '';
}
