//! The list of software is valid CycloneDX, names each package once, and is the same each time.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { type SbomInput, sbomOf } from './sbom.ts';

const SHA512 = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;

const input: SbomInput = {
  version: '1.2.3',
  revision: 'a'.repeat(40),
  createdAt: new Date('2026-11-18T12:00:00Z'),
  node: '24.21.0',
  architecture: 'amd64',
  npm: {
    'node_modules/holdfast': { version: '1.2.3', dependencies: { '@a/b': '1.0.0', c: '^1.0.0' } },
    'node_modules/holdfast/node_modules/c': { version: '1.1.0', integrity: SHA512 },
    'node_modules/@a/b': { version: '1.0.0', integrity: SHA512, dependencies: { c: '^2.0.0' } },
    'node_modules/c': { version: '2.0.0', integrity: SHA512 },
  },
  debian: [{ name: 'libstdc++6', version: '12.2.0-14+deb12u1', sha256: 'b'.repeat(64) }],
};

/** The published schemas, from the library of CycloneDX. */
function schema(name: string): object {
  const manifest = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  );
  const path = join(dirname(manifest), 'res/schema', `${name}.SNAPSHOT.schema.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as object;
}

const ajv = new Ajv({ strict: false, formats: { 'iri-reference': true, 'idn-email': true } });
addFormats.default(ajv);
for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
  ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);

it('is valid CycloneDX 1.6', () => {
  const isValid = ajv.compile(schema('bom-1.6'));
  const bom = JSON.parse(sbomOf(input)) as { components: { type: string }[] };
  expect(isValid(bom) ? [] : isValid.errors).toEqual([]);
  (bom.components[0] as { type: string }).type = 'package';
  expect(isValid(bom)).toBe(false);
});

it('names every package by its URL, and those that each finds', () => {
  const bom = JSON.parse(sbomOf(input)) as {
    components: { purl: string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  expect(bom.components.map(({ purl }) => purl)).toEqual([
    'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=bookworm',
    'pkg:generic/node@24.21.0',
    'pkg:npm/%40a/b@1.0.0',
    'pkg:npm/c@1.1.0',
    'pkg:npm/c@2.0.0',
  ]);
  const { dependsOn } = bom.dependencies.find(({ ref }) => ref === 'pkg:npm/%40a/b@1.0.0') ?? {};
  expect(dependsOn).toEqual(['pkg:npm/c@2.0.0']);
  const own = bom.dependencies.find(({ ref }) => ref === 'pkg:npm/holdfast@1.2.3');
  expect(own?.dependsOn).toEqual(['pkg:npm/%40a/b@1.0.0', 'pkg:npm/c@1.1.0']);
});

it('is the same text for the same packages', () => {
  expect(sbomOf(input)).toBe(sbomOf(structuredClone(input)));
});
