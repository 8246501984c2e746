//! The list of all software in the image, as CycloneDX 1.6: npm packages, Debian packages, Node.js.
import type { Locked } from './app.ts';
import type { DebianPackage } from './root.ts';

export interface SbomInput {
  readonly version: string;
  readonly revision: string;
  readonly createdAt: Date;
  readonly node: string;
  readonly architecture: string;
  readonly npm: Locked;
  readonly debian: readonly DebianPackage[];
}

interface Component {
  readonly type: 'application' | 'library' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

/** The same for the same input: it has no serial number, and the commit's time. */
export function sbomOf(input: SbomInput): string {
  const refs = refsOf(input.npm);
  const own = refs.get('node_modules/holdfast') as string;
  const others = [...refs].filter(([path]) => path !== 'node_modules/holdfast');
  const libraries = others.map(([path, ref]) => npmComponent(path, ref, input.npm));
  const platform = [nodeComponent(input), ...input.debian.map(debianComponent(input.architecture))];
  const unique = new Map([...libraries, ...platform].map((each) => [each['bom-ref'], each]));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: input.createdAt.toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'holdfast',
        version: input.version,
        purl: own,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        properties: [{ name: 'holdfast:revision', value: input.revision }],
      },
    },
    components: [...unique.values()].toSorted((one, other) =>
      one['bom-ref'] < other['bom-ref'] ? -1 : 1,
    ),
    dependencies: dependenciesOf(input.npm, refs),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function refsOf(npm: Locked): Map<string, string> {
  return new Map(
    Object.entries(npm).map(([path, { version = '' }]) => [path, npmUrl(nameOf(path), version)]),
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function npmUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function npmComponent(path: string, ref: string, npm: Locked): Component {
  const { version = '', integrity = '' } = npm[path] ?? {};
  const [group, name] = nameOf(path).startsWith('@') ? nameOf(path).split('/') : ['', nameOf(path)];
  const sha512 = /^sha512-(\S+)$/.exec(integrity)?.[1];
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group && { group }),
    name: name as string,
    version,
    purl: ref,
    ...(sha512 && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }],
    }),
  };
}

function nodeComponent({ node }: SbomInput): Component {
  const purl = `pkg:generic/node@${node}`;
  return { type: 'platform', 'bom-ref': purl, name: 'node', version: node, purl };
}

function debianComponent(architecture: string) {
  return ({ name, version, sha256 }: DebianPackage): Component => {
    const at = `${encodeURIComponent(name)}@${encodeURIComponent(version)}`;
    const purl = `pkg:deb/debian/${at}?arch=${architecture}&distro=bookworm`;
    const hashes = [{ alg: 'SHA-256', content: sha256 }];
    return { type: 'library', 'bom-ref': purl, name, version, purl, hashes };
  };
}

/** Each package with those that it finds, as Node.js looks for them. */
function dependenciesOf(npm: Locked, refs: ReadonlyMap<string, string>) {
  const all = new Map<string, Set<string>>();
  for (const [path, { dependencies = {} }] of Object.entries(npm)) {
    const ref = refs.get(path) as string;
    const of = all.get(ref) ?? new Set<string>();
    for (const name of Object.keys(dependencies))
      of.add(refs.get(foundFrom(npm, path, name)) ?? '');
    all.set(ref, of);
  }
  return [...all]
    .toSorted(([one], [other]) => byName(one, other))
    .map(([ref, of]) => ({ ref, dependsOn: [...of].filter(Boolean).toSorted(byName) }));
}

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function foundFrom(npm: Locked, from: string, name: string): string {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))
  ) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (npm[path] !== undefined || folder === '') return path;
  }
}
