//! The parser of the README's quickstart finds its commands and files.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readQuickstart } from './readme.ts';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

test('returns commands and files in the order of the text', () => {
  const readme = `# X

## Quickstart

Do it:

\`\`\`sh
npm install x
npx x dev
\`\`\`

## Your own code

\`\`\`js
// own.mjs
go();
\`\`\`

## Else

\`\`\`sh
rm -rf everything
\`\`\`
`;
  expect(readQuickstart(readme)).toEqual({
    steps: [
      { kind: 'command', line: 'npm install x' },
      { kind: 'command', line: 'npx x dev' },
      { kind: 'file', name: 'own.mjs', text: '// own.mjs\ngo();\n' },
    ],
    words: 10,
  });
});

test('throws on a block that is neither a command nor a file', () => {
  const readme = '\n## Quickstart\n```js\ngo();\n```\n\n## Your own code\n';
  expect(() => readQuickstart(readme)).toThrow('neither typed nor saved');
});

test('README.md starts with the install and saves two short files', () => {
  const { steps } = readQuickstart(README);
  expect(steps[0]).toEqual({ kind: 'command', line: 'npm install holdfast @holdfast/sdk' });
  expect(steps[1]).toEqual({ kind: 'command', line: 'npx holdfast dev' });
  const files = steps.flatMap((step) => (step.kind === 'file' ? [step] : []));
  expect(files.map(({ name }) => name)).toEqual(['escrow.mjs', 'webhooks.mjs']);
  for (const { text } of files) expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
});
