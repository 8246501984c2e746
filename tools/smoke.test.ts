//! `npm run smoke` covers every script and every documented command; a missing one is named.
import { describe, expect, it } from 'vitest';
import { ENTRIES, type Entry } from './smoke/entries.ts';
import { findUncovered } from './smoke/faults.ts';
import { runEntry } from './smoke/run-entry.ts';
import { readDocumented } from './smoke.ts';

const documented = readDocumented();

describe('the table of entries', () => {
  it('has every script and every documented command', () => {
    expect(findUncovered(ENTRIES, documented)).toEqual([]);
  });

  it('lacks a script that is new', () => {
    const scripts = { ...documented.scripts, brandNew: 'node new.ts' };
    expect(findUncovered(ENTRIES, { ...documented, scripts })).toContain(
      'npm run brandNew has no entry in tools/smoke/entries.ts',
    );
  });

  it('is reported when it has an entry without a script', () => {
    const { where: _, ...scripts } = documented.scripts;
    expect(findUncovered(ENTRIES, { ...documented, scripts })).toContain(
      'tools/smoke/entries.ts has an entry where, which is no script',
    );
  });

  it('is reported when it names the check for a script that the check does not run', () => {
    const where: Entry = { whole: { kind: 'played', by: 'check' } };
    expect(findUncovered({ ...ENTRIES, where }, documented)).toContain(
      'npm run where is listed as run by the check, but is not',
    );
  });

  it.each([
    '| `npm run nothing` | Does |',
    '| A guarantee | `npm run nothing` checks it |',
    '```\nnpx nothing\n```',
    '```sh\nnpm test\n```',
  ])('names a command that a page adds: %j', (added) => {
    const readme = `${documented.readme}\n${added}\n`;
    const contributing = `${documented.contributing}\n${added}\n`;
    expect(findUncovered(ENTRIES, { ...documented, readme, contributing })).toEqual([
      expect.stringContaining('README.md names a command that nothing runs'),
      expect.stringContaining('CONTRIBUTING.md names a command that nothing runs'),
    ]);
  });
});

describe('runEntry', () => {
  const MS_MAX = 20_000;
  const node = (code: string) => `node -e '${code}'`;
  const run = (code: string, more: object = {}) =>
    runEntry(node(code), { kind: 'run', args: [], ...more }, process.env, MS_MAX);
  const serve = (code: string) =>
    runEntry(node(code), { kind: 'serve', args: [], ready: /ready/ }, process.env, MS_MAX);

  it('passes a run that exits with 0 and prints the expected text', async () => {
    expect(await run('console.log("done")', { prints: /done/ })).toMatchObject({ isGood: true });
    expect(await run('console.log("done")', { prints: /other/ })).toMatchObject({
      isGood: false,
      output: 'done\n',
    });
  });

  it('is bad by its exit code, unless a refusal is expected', async () => {
    expect((await run('process.exit(2)')).fault).toBe('ended with 2');
    expect(await run('process.exit(2)', { ends: 'refused' })).toMatchObject({ isGood: true });
    expect((await run('', { ends: 'refused' })).fault).toBe('ended with 0');
  });

  it('stops a server once it is ready, and expects a clean exit', async () => {
    const kind = 'process.on("SIGTERM", () => process.exit(0));';
    const forever = 'console.log("ready"); setInterval(() => undefined, 1000)';
    expect(await serve(kind + forever)).toMatchObject({ isGood: true });
    expect((await serve(forever)).fault).toBe('ended with SIGTERM after the signal to stop');
    expect((await serve('process.exit(0)')).fault).toBe('ended with 0 before it was ready');
  });

  it('does not wait forever', async () => {
    const endless = node('setInterval(() => undefined, 1000)');
    const { fault } = await runEntry(endless, { kind: 'run', args: [] }, process.env, 500);
    expect(fault).toBe('had not ended after 0.5 s');
  });
});
