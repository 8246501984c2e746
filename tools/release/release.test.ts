//! Tests what a release is made of, apart from building it.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';
import { ROOT } from '../pack/manifest.ts';
import { withImages } from './deployment.ts';
import { notesOf } from './notes.ts';
import { nextVersion, readPending } from './pending.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const IMAGE = `registry.test/holdfast@${DIGEST}`;
const SANDBOX = `registry.test/sandbox@${DIGEST}`;

it('the compose files and every overlay name the images by their digests', () => {
  using folder = createTemporaryFolder('holdfast-release-test');
  mkdirSync(join(folder.path, 'deploy'));
  cpSync(join(ROOT, 'deploy/kubernetes'), join(folder.path, 'deploy/kubernetes'), {
    recursive: true,
  });
  const files = ['compose.yaml', 'compose.override.yaml'];
  for (const file of files) cpSync(join(ROOT, file), join(folder.path, file));
  withImages(folder.path, { holdfast: IMAGE, sandbox: SANDBOX });
  const read = (file: string) => readFileSync(join(folder.path, file), 'utf8');
  for (const file of files) expect(read(file)).toContain(`\${IMAGE:-${IMAGE}}`);
  expect(read('compose.override.yaml')).toContain(`\${SANDBOX:-${SANDBOX}}`);
  for (const overlay of ['small', 'production'])
    expect(read(`deploy/kubernetes/overlays/${overlay}/kustomization.yaml`)).toMatch(
      new RegExp(`newName: registry.test/holdfast\\n +digest: ${DIGEST}\\n`),
    );
  expect(() => withImages(folder.path, { holdfast: IMAGE, sandbox: SANDBOX })).toThrow(/no image/);
});

describe('the notes', () => {
  const notes = { version: '0.2.0', image: IMAGE, changes: '### Added\n\n- A.', files: ['a.tgz'] };

  it('name the migrations, the image and the files', () => {
    const text = notesOf({ ...notes, migrations: ['0018_more', '0019_index.online'] });
    expect(text).toMatch(/^### Added\n\n- A\.\n\n## Upgrade\n\nRun `holdfast migrate`/);
    expect(text).toContain('`0018_more`, `0019_index.online`');
    expect(text).toContain(`oci://${IMAGE}`);
    expect(text).toContain('- `a.tgz`');
  });

  it('say that there are no migrations', () => {
    expect(notesOf({ ...notes, migrations: [] })).toContain('No migrations');
  });
});

describe('changesets', () => {
  it('of this repository state their size and kind', () => {
    expect(() => readPending()).not.toThrow();
  });

  it.each([
    ['patch', '0.1.3'],
    ['minor', '0.2.0'],
    ['major', '1.0.0'],
  ] as const)('of size %s give %s', (size, version) => {
    expect(nextVersion('0.1.2', size)).toBe(version);
  });

  it('are read in the order of their names, and the largest decides', () => {
    using folder = createTemporaryFolder('holdfast-changesets');
    mkdirSync(join(folder.path, '.changeset'));
    const add = (name: string, text: string) =>
      writeFileSync(join(folder.path, '.changeset', name), text);
    add('README.md', '# Changes');
    expect(readPending(folder.path)).toBeUndefined();
    add('b.md', '---\n"holdfast": patch\n---\n\nFixed: Two.\n');
    add('a.md', '---\n"holdfast": patch\n"@holdfast/sdk": minor\n---\n\nAdded: One.\n');
    const pending = readPending(folder.path);
    expect(pending?.changes).toEqual([
      { kind: 'Added', text: 'One.' },
      { kind: 'Fixed', text: 'Two.' },
    ]);
    expect(pending?.version).toMatch(/\.0$/);
    add('c.md', '---\n"holdfast": huge\n---\n\nFixed: Three.\n');
    expect(() => readPending(folder.path)).toThrow(/c\.md must state/);
  });
});
