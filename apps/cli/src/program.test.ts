import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { nodesOf } from './commands/completion.ts';
import { EXAMPLE_PATHS, examplesOf } from './commands/examples.ts';
import { EXITS } from './exit-codes.ts';
import { allOf } from './program.ts';
import { programOf, type } from './testing/run-program.ts';
import { VERSION } from './version.ts';

test('the version is that of the package', async () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION);
  expect(await type('--version')).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
});

test('help names every command and every exit code', async () => {
  const { out, code } = await type('--help');
  expect(code).toBe(0);
  for (const command of programOf().commands) expect(out).toContain(`  ${command.name()} `);
  for (const { code: exit, description } of Object.values(EXITS))
    expect(out).toContain(`${exit}`.padEnd(5) + description);
});

test('every command says what it does, and so does every option', () => {
  for (const command of allOf(programOf())) {
    expect(command.description(), command.name()).not.toBe('');
    for (const { description, flags } of command.options) expect(description, flags).not.toBe('');
  }
});

test('every command shows an example, which is a valid command line', () => {
  const commands = allOf(programOf()).filter(
    ({ commands, parent }) => commands.length === 0 && parent !== null,
  );
  expect(commands.map(pathOf).toSorted()).toEqual(EXAMPLE_PATHS.toSorted());
  for (const command of commands) {
    const path = pathOf(command);
    const lines = examplesOf(path);
    expect(lines.length, path).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatch(new RegExp(`^holdfast ${path}( |$)`));
      const known = [command, command.parent as Command]
        .flatMap(({ options }) => options)
        .flatMap(({ long, short }) => [long, short]);
      for (const [flag] of line.matchAll(/(?<= )--?[a-z][a-z-]*/g))
        expect(known, line).toContain(flag);
    }
  }
});

function pathOf(command: Command): string {
  const { parent } = command;
  const before = parent === null || parent.parent === null ? '' : `${pathOf(parent)} `;
  return `${before}${command.name()}`;
}

test('a command that cannot be undone requires --yes, and its help says so', async () => {
  const ends = allOf(programOf()).filter(({ options }) =>
    options.some(({ long }) => long === '--yes'),
  );
  expect(ends.length).toBeGreaterThan(10);
  for (const command of ends) expect(command.description()).toContain('--yes');
  const env = { HOLDFAST_URL: 'http://127.0.0.1:1', HOLDFAST_API_KEY: 'hf_x' };
  const { code, err } = await type('orders release ord_1', { env });
  expect(code).toBe(EXITS.usage.code);
  expect(err).toMatch(
    /^✗ confirmation required: releasing ord_1 pays the seller and cannot be undone\n {2}→ nothing was done; add --yes to confirm\n$/,
  );
});

test.each([
  ['oders list', 'Did you mean orders'],
  ['orders list --limit many', 'invalid --limit many'],
  ['orders create --buyer usr_1', 'required option'],
  ['trigger order.eaten', 'unknown scenario order.eaten'],
  ['trigger order.relased', 'Did you mean order.released?'],
  ['listen --forward-to nowhere', 'invalid handler URL nowhere'],
  ['listen --forward-to 3000 --types order.eaten', 'unknown event type order.eaten'],
  ['disputes resolve dsp_1 --decision SPLIT --yes', 'SPLIT requires --release and --refund'],
  ['disputes resolve dsp_1 --decision FULL_REFUND --refund 1.00', 'FULL_REFUND takes no amounts'],
  ['clock advance soon', 'invalid duration soon'],
  ['open mailbox', 'Allowed choices are'],
])('%s is a wrong command line', async (line, expected) => {
  const env = { HOLDFAST_URL: 'http://127.0.0.1:1', HOLDFAST_API_KEY: 'hf_x' };
  const { code, err, out } = await type(line, { env });
  expect([code, out]).toEqual([EXITS.usage.code, '']);
  expect(err).toContain(expected);
});

test('a wrong command line is reported like any other fault, also as JSON', async () => {
  const { err } = await type('oders list');
  expect(err).toBe("✗ unknown command 'oders'\n  → Did you mean orders?\n");
  const { err: json } = await type('orders list --bogus --json');
  expect(JSON.parse(json)).toMatchObject({
    error: { code: 'USAGE', message: "unknown option '--bogus'", exit: 'usage' },
  });
});

test('an unreachable server is exit 3, reported in two lines or as JSON', async () => {
  const env = { HOLDFAST_URL: 'http://127.0.0.1:1', HOLDFAST_API_KEY: 'hf_x' };
  const result = await type('keys me', { env });
  expect(result).toMatchObject({ code: EXITS.unreachable.code, out: '' });
  expect(result.err).toMatch(
    /^✗ .*\(CONNECTION_FAILED\)\n {2}→ start a server with `holdfast dev`, or diagnose with `holdfast doctor`/,
  );
  const { code, err } = await type('--json keys me', { env });
  expect(code).toBe(EXITS.unreachable.code);
  expect(JSON.parse(err)).toMatchObject({
    error: { code: 'CONNECTION_FAILED', exit: 'unreachable' },
  });
}, 30_000);

test('completion knows every command, and is a script that its shell can read', async () => {
  const paths = nodesOf(programOf()).map(({ path }) => path);
  expect(paths).toContain('orders release');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { out, code } = await type(`completion ${shell}`);
    expect(code).toBe(0);
    expect(out).toContain('release');
  }
});
