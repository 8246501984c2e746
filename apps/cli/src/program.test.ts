import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodesOf } from './commands/completion.ts';
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
  for (const { code: exit, means } of Object.values(EXITS))
    expect(out).toContain(`${exit}`.padEnd(5) + means);
});

test('every command says what it does, and so does every option', () => {
  for (const command of allOf(programOf())) {
    expect(command.description(), command.name()).not.toBe('');
    for (const { description, flags } of command.options) expect(description, flags).not.toBe('');
  }
});

test('whatever cannot be taken back wants --yes, and says so in its help', async () => {
  const ends = allOf(programOf()).filter(({ options }) =>
    options.some(({ long }) => long === '--yes'),
  );
  expect(ends.length).toBeGreaterThan(10);
  for (const command of ends) expect(command.description()).toContain('--yes');
  const env = { HOLDFAST_URL: 'http://127.0.0.1:1', HOLDFAST_API_KEY: 'hf_x' };
  const { code, err } = await type('orders release ord_1', { env });
  expect(code).toBe(EXITS.usage.code);
  expect(err).toMatch(/cannot be taken back[\s\S]*--yes/);
});

test.each([
  ['oders list', 'Did you mean orders'],
  ['orders list --limit many', 'no number of rows'],
  ['orders create --buyer usr_1', 'required option'],
  ['trigger order.eaten', 'there is no story order.eaten'],
  ['listen --forward-to nowhere', 'no address of a handler'],
  ['listen --forward-to 3000 --types order.eaten', 'no type of event'],
  ['clock advance soon', 'no span of time'],
  ['open mailbox', 'Allowed choices are'],
])('%s is a wrong command line', async (line, says) => {
  const env = { HOLDFAST_URL: 'http://127.0.0.1:1', HOLDFAST_API_KEY: 'hf_x' };
  const { code, err, out } = await type(line, { env });
  expect([code, out]).toEqual([EXITS.usage.code, '']);
  expect(err).toContain(says);
});

test('a wrong command line is told like any other fault, also as JSON', async () => {
  const { err } = await type('oders list');
  expect(err).toBe("✗ unknown command 'oders'\n  → Did you mean orders?\n");
  const { err: json } = await type('orders list --bogus --json');
  expect(JSON.parse(json)).toMatchObject({
    error: { code: 'USAGE', message: "unknown option '--bogus'", exit: 'usage' },
  });
});

test('a server that is away is exit 3, told in two lines or as JSON', async () => {
  const env = { HOLDFAST_URL: 'http://127.0.0.1:1', HOLDFAST_API_KEY: 'hf_x' };
  const told = await type('keys me', { env });
  expect(told).toMatchObject({ code: EXITS.unreachable.code, out: '' });
  expect(told.err).toMatch(/^✗ .*\(CONNECTION_FAILED\)\n {2}→ .*holdfast doctor/);
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
