//! Files of the site that are not pages: files served unchanged, and a list of pages for tools.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { urlOf } from './links.ts';
import { pageFiles, ROOT, rawFiles, readSource, shownAs } from './repository.ts';

const INTRODUCTION = `# Holdfast

> Escrow and balances for marketplaces: double-entry books, orders in escrow, disputes, top-ups,
> withdrawals, events and reconciliation behind one HTTP API.
`;

export function extraFiles(): AstroIntegration {
  return {
    name: 'holdfast-extra-files',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const site = fileURLToPath(dir);
        for (const path of rawFiles()) {
          const file = join(site, 'files', shownAs(path));
          mkdirSync(dirname(file), { recursive: true });
          copyFileSync(join(ROOT, path), file);
        }
        writeFileSync(join(site, 'llms.txt'), listOfPages());
      },
    },
  };
}

function listOfPages(): string {
  const lines = pageFiles().map(({ path, id }) => {
    const title = /^# (.+)$/m.exec(readSource(path))?.[1] ?? id;
    return `- [${title}](${urlOf(id)})`;
  });
  return `${INTRODUCTION}\n${lines.join('\n')}\n`;
}
