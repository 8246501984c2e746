//! The package as users get it: packed, unpacked into projects, imported, required, bundled for a
//! browser, and used by the compiler.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSnippets } from './snippets.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = join(ROOT, 'packages/sdk');
const PROJECTS = join(import.meta.dirname, 'projects');
const GZIP_BYTES_MAX = 16_000;
const SLOW = 180_000;

// biome-ignore format: a table is the one thing exempt from the line limit.
const WEB_STANDARDS = ['AbortController', 'AbortSignal', 'Headers', 'ReadableStream', 'Request', 'Response', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'clearTimeout', 'crypto', 'setTimeout'];

let folder: string;
let tarball: string;
const project = (...names: readonly string[]) => join(folder, 'project', ...names);
const installed = (...names: readonly string[]) =>
  project('node_modules', '@holdfast', 'sdk', ...names);

/** Without the variables by which a test runner changes the module resolution of its children. */
function run(command: string, args: readonly string[], cwd = ROOT): string {
  const env = { PATH: process.env['PATH'], HOME: folder, npm_config_offline: 'true' };
  try {
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
  }
}

const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-sdk-'));
  // Built from scratch, without files of an earlier build.
  const packageFolder = join(folder, 'package');
  for (const name of ['package.json', 'README.md', 'LICENSE']) {
    cpSync(join(PACKAGE, name), join(packageFolder, name));
  }
  const info = join(folder, 'tsbuildinfo');
  const built = ['--outDir', join(packageFolder, 'dist'), '--tsBuildInfoFile', info];
  run(bin('tsc'), ['-p', join(PACKAGE, 'tsconfig.json'), ...built]);
  const packed = run(
    'npm',
    ['pack', packageFolder, '--json', '--pack-destination', folder],
    folder,
  );
  const [{ filename = '' } = {}] = JSON.parse(packed) as { filename?: string }[];
  tarball = join(folder, filename);
  mkdirSync(installed(), { recursive: true });
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed()]);
  writeFileSync(project('package.json'), '{ "name": "project", "private": true }');
  cpSync(PROJECTS, project(), { recursive: true });
}, SLOW);

afterAll(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  it('depends on nothing', () => {
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as object;
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(manifest).not.toHaveProperty(kind);
    }
  });

  it('contains the build output, and no tests', () => {
    const files = run('tar', ['-tzf', tarball]).trim().split('\n');
    const others = files.filter((file) => !/^package\/dist\/.+\.(js|js\.map|d\.ts)$/.test(file));
    expect(others.sort()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
    expect(files.filter((file) => /\.test\.|\/testing\//.test(file))).toEqual([]);
  });

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: installed(), pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it(
    'has types that every module resolution finds',
    () => {
      const output = run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-color']);
      expect(output.match(/node16 \(from ESM\): 🟢 \(ESM\)/g)).toHaveLength(6);
      expect(output.match(/bundler: 🟢 $/gm)).toHaveLength(6);
    },
    SLOW,
  );
});

describe('a Node.js program', () => {
  const program = `const holdfast = new Holdfast({ apiKey: 'k', baseUrl: 'http://127.0.0.1:2' });
    const { error } = await holdfast.orders.get('ord_1', { maxRetries: 0 }).result();
    console.log(error.code, typeof holdfast.webhookEndpoints.create, money('1.5', 'USD') + '');`;

  it('imports the package', () => {
    writeFileSync(
      project('esm.mjs'),
      `import { Holdfast } from '@holdfast/sdk';
       import { money } from '@holdfast/sdk/money';
       import * as others from './others.mjs';
       ${program} console.log(Object.keys(others).length > 5);`,
    );
    writeFileSync(
      project('others.mjs'),
      ['members', 'node', 'testing', 'webhooks']
        .map((name) => `export * from '@holdfast/sdk/${name}';`)
        .join('\n'),
    );
    const output = run(process.execPath, ['esm.mjs'], project());
    expect(output).toBe('CONNECTION_FAILED function 1.50\ntrue\n');
  });

  it('requires the package from CommonJS', () => {
    writeFileSync(
      project('common.cjs'),
      `const { Holdfast } = require('@holdfast/sdk');
       const { money } = require('@holdfast/sdk/money');
       (async () => { ${program} })();`,
    );
    const output = run(process.execPath, ['common.cjs'], project());
    expect(output).toBe('CONNECTION_FAILED function 1.50\n');
  });
});

describe('a page', () => {
  async function bundle(source: string): Promise<{ code: string; imports: readonly string[] }> {
    const input = project('page.js');
    writeFileSync(input, source);
    const built = await rolldown({
      input,
      cwd: project(),
      platform: 'browser',
      logLevel: 'silent',
    });
    const { output } = await built.generate({ format: 'esm', minify: true });
    await built.close();
    const [{ code, imports }] = output;
    return { code, imports };
  }

  it('bundles the package without any Node.js module', async () => {
    const whole = await bundle(`export * from '@holdfast/sdk';
      export * from '@holdfast/sdk/webhooks'; export * from '@holdfast/sdk/money';
      export * from '@holdfast/sdk/members'; export * from '@holdfast/sdk/testing';`);
    expect(whole.imports).toEqual([]);
    expect(whole.code).not.toMatch(/node:|require\(/);
  });

  it('runs the package with web standards only', async () => {
    const { code } = await bundle(`import { Holdfast } from '@holdfast/sdk';
      import { signWebhook, verifyWebhook } from '@holdfast/sdk/webhooks';
      globalThis.holdfast = { Holdfast, signWebhook, verifyWebhook };`);
    const given: Record<string, unknown> = Object.fromEntries(
      WEB_STANDARDS.map((name) => [name, globalThis[name as keyof typeof globalThis]]),
    );
    const sent: string[] = [];
    given['fetch'] = async (url: string, { headers }: { headers: Headers }) => {
      sent.push(`${url} ${headers.has('idempotency-key')}`);
      return new Response('{"data":{"data":{"id":"usr_1"}},"meta":{}}');
    };
    const packed = await runInNewContext(
      `${code};(async () => {
        const { Holdfast, signWebhook, verifyWebhook } = holdfast;
        const client = new Holdfast({ apiKey: 'token', baseUrl: 'https://api.example.com' });
        const user = await client.users.create({ externalUserId: 'ada' }, { idempotencyKey: 'x' });
        const event = { eventId: 'evt_1', eventType: 'order.closed' };
        const { body, headers } = await signWebhook(JSON.stringify(event), 'whsec_c2VjcmV0');
        return [user.id, (await verifyWebhook(body, headers, 'whsec_c2VjcmV0')).eventId].join();
      })()`,
      given,
    );
    expect(packed).toBe('usr_1,evt_1');
    expect(sent).toEqual(['https://api.example.com/api/v1/users true']);
  });

  it(`bundles the client in at most ${GZIP_BYTES_MAX} bytes, gzipped`, async () => {
    const parts = { client: '@holdfast/sdk', money: '@holdfast/sdk/money' };
    const webhooks = '@holdfast/sdk/webhooks';
    const sizes: Record<string, number> = {};
    for (const [name, from] of Object.entries({ ...parts, webhooks })) {
      const { code } = await bundle(`export * from '${from}';`);
      sizes[name] = gzipSync(code).length;
    }
    process.stdout.write(`gzipped bytes: ${JSON.stringify(sizes)}\n`);
    expect(sizes['client']).toBeLessThan(GZIP_BYTES_MAX);
    expect(sizes['money']).toBeLessThan(3_000);
    expect(sizes['webhooks']).toBeLessThan(5_000);
  });
});

describe('the compiler', () => {
  const options = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'es2022',
    types: [],
  };

  /** A browser's project has no Node.js types; only `@holdfast/sdk/node` needs them. */
  function compile(name: string, files: readonly string[], more: object): string {
    const compilerOptions = { ...options, ...more };
    writeFileSync(project(`${name}.json`), JSON.stringify({ compilerOptions, files }));
    return run(bin('tsc'), ['-p', project(`${name}.json`), '--pretty', 'false'], project());
  }

  const lib = ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'];

  it.each([
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ])(
    'narrows types and refuses unknown names, with %s',
    (name, resolution) => {
      expect(compile(name, ['types.ts'], { ...resolution, lib })).toBe('');
    },
    SLOW,
  );

  it(
    "accepts every example of the package's README",
    () => {
      const files = writeSnippets(readFileSync(join(PACKAGE, 'README.md'), 'utf8'), project());
      expect(files.length).toBeGreaterThan(8);
      const output = compile('readme', files, {
        module: 'esnext',
        moduleResolution: 'bundler',
        moduleDetection: 'force',
        lib,
      });
      expect(output).toBe('');
    },
    SLOW,
  );
});
