//! `npm run docs:images`: takes the pictures of README.md and of the site from running processes.
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openChromium } from '../../tests/harness/browser/chromium.ts';
import { type OptionsOf, text } from '../../tests/harness/options.ts';
import { print } from '../../tests/harness/report.ts';
import { runHarness } from '../../tests/harness/run.ts';
import { photographOrder } from './order-page.ts';
import { recordDev } from './record-dev.ts';
import { terminalPage } from './terminal-page.ts';

const IMAGES = join(import.meta.dirname, '../../docs/images');
const BYTES_MAX = 300_000;

const options = {
  to: text('DIR', 'write the pictures there', { defaultText: 'docs/images' }),
  only: text('REGEXP', 'only pictures whose name matches', { full: '', defaultText: 'all' }),
};

/** File names, and how each picture is taken. */
const PICTURES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'console-order.png': photographOrder,
  'dev.png': photographDev,
};

async function photographDev(path: string): Promise<void> {
  const page = terminalPage(await recordDev());
  const browser = await openChromium();
  try {
    const shown = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await shown.setContent(page);
    await shown.locator('#window').screenshot({ path, omitBackground: true });
  } finally {
    await browser.close();
  }
}

async function takePictures({ to, only }: OptionsOf<typeof options>): Promise<string[]> {
  const folder = resolve(to ?? IMAGES);
  mkdirSync(folder, { recursive: true });
  const wrong: string[] = [];
  for (const [name, take] of Object.entries(PICTURES)) {
    if (!new RegExp(only).test(name)) continue;
    const path = join(folder, name);
    await take(path);
    const { size } = statSync(path);
    print(`${name}: ${Math.ceil(size / 1000)} kB`);
    if (size > BYTES_MAX) wrong.push(`${name} is larger than ${BYTES_MAX / 1000} kB`);
  }
  return wrong;
}

await runHarness(
  { name: 'npm run docs:images', options, note: 'architecture.svg there is drawn by hand.' },
  takePictures,
);
