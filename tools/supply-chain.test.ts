//! What the repository runs comes from where it was reviewed: no install scripts, no young
//! packages, actions by commit, and no more packages than were agreed on.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Lockfile, packagesOf } from './lockfile.ts';

const read = (path: string) => readFileSync(`${import.meta.dirname}/../${path}`, 'utf8');
const WORKFLOWS = '.github/workflows';
const BY_COMMIT = /^[\w-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*$/;

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

it.each(workflows)('$name runs actions by commit, and may only read', ({ text }) => {
  const actions = actionsIn(text);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !BY_COMMIT.test(action))).toEqual([]);
  const checkouts = text.split('actions/checkout@').slice(1);
  expect(checkouts.filter((step) => !/^.+\n.+\n +persist-credentials: false/.test(step))).toEqual(
    [],
  );
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\w/m);
  expect(text.match(/permissions:/g)).toHaveLength(1);
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
