//! Names the images of a release in the files that deploy it.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Images {
  /** Each a name and a digest. */
  readonly holdfast: string;
  readonly sandbox: string;
}

const COMPOSE_IMAGE = /(?<=\$\{IMAGE:-)[^}]+/g;
const COMPOSE_SANDBOX = /(?<=\$\{SANDBOX:-)[^}]+/g;
const KUSTOMIZE_IMAGE = /(?<=- name: holdfast\n *newName: )\S+(\n *digest: )\S+/g;

export function withImages(folder: string, { holdfast, sandbox }: Images): void {
  const [name = '', digest = ''] = holdfast.split('@');
  for (const file of ['compose.yaml', 'compose.override.yaml'])
    replace(join(folder, file), COMPOSE_IMAGE, () => holdfast);
  replace(join(folder, 'compose.override.yaml'), COMPOSE_SANDBOX, () => sandbox);
  const overlays = globSync('deploy/kubernetes/overlays/*/kustomization.yaml', { cwd: folder });
  if (overlays.length === 0) throw new Error('no overlay for Kubernetes');
  for (const overlay of overlays)
    replace(join(folder, overlay), KUSTOMIZE_IMAGE, (_, between) => `${name}${between}${digest}`);
}

function replace(
  file: string,
  pattern: RegExp,
  by: (found: string, between: string) => string,
): void {
  const text = readFileSync(file, 'utf8');
  const replaced = text.replace(pattern, by);
  if (replaced === text) throw new Error(`${file} names no image`);
  writeFileSync(file, replaced);
}
