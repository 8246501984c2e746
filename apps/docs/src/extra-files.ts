//! What the site has besides its pages: files as they are, and a list of the pages for tools.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { urlOf } from './links.ts';
import { pageFiles, rawFiles, readSource, readText, shownAs } from './repository.ts';

const INTRODUCTION = `# Holdfast

> Escrow and balance orchestrator for marketplaces: double-entry balances, orders held in escrow,
> disputes, top-ups, withdrawals, events and reconciliation behind one HTTP API.
`;

export function extraFiles(): AstroIntegration {
  return {
    name: 'holdfast-extra-files',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const write = (name: string, text: string) => {
          const file = fileURLToPath(new URL(name, dir));
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text);
        };
        for (const path of rawFiles()) write(`files/${shownAs(path)}`, readText(path));
        write('llms.txt', listOfPages());
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
