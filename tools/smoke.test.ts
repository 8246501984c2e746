//! No script and no documented command is forgotten by `npm run smoke`; each that is gets named.
import { describe, expect, it } from 'vitest';
import { ENTRIES, type Entry } from './smoke/entries.ts';
import { findForgotten } from './smoke/faults.ts';
import { play } from './smoke/play.ts';
import { readDocumented } from './smoke.ts';

const documented = readDocumented();

describe('the table of entries', () => {
  it('has every script and every documented command', () => {
    expect(findForgotten(ENTRIES, documented)).toEqual([]);
  });

  it('lacks a script that is new', () => {
    const scripts = { ...documented.scripts, brandNew: 'node new.ts' };
    expect(findForgotten(ENTRIES, { ...documented, scripts })).toContain(
      'npm run brandNew has no entry in tools/smoke/entries.ts',
    );
  });

  it('has one too many when a script has gone', () => {
    const { where: _, ...scripts } = documented.scripts;
    expect(findForgotten(ENTRIES, { ...documented, scripts })).toContain(
      'tools/smoke/entries.ts has an entry where, package.json no script',
    );
  });

  it('may not say of the check what it does not do', () => {
    const where: Entry = { whole: { kind: 'played', by: 'check' } };
    expect(findForgotten({ ...ENTRIES, where }, documented)).toContain(
      'npm run where is said to be played by the check, and is not',
    );
  });

  it.each(['| `npm run nothing` | Does |', '```\nnpx nothing\n```', '```sh\nnpm test\n```'])(
    'names what the README adds: %j',
    (added) => {
      const readme = `${documented.readme}\n${added}\n`;
      expect(findForgotten(ENTRIES, { ...documented, readme })).toContainEqual(
        expect.stringContaining('README.md names a command that nothing plays'),
      );
    },
  );
});

describe('a play', () => {
  const MS_MAX = 20_000;
  const node = (code: string) => `node -e '${code}'`;
  const run = (code: string, more: object = {}) =>
    play(node(code), { kind: 'run', args: [], ...more }, process.env, MS_MAX);
  const serve = (code: string) =>
    play(node(code), { kind: 'serve', args: [], ready: /ready/ }, process.env, MS_MAX);

  it('is good when it ends well and says what it should', async () => {
    expect(await run('console.log("done")', { says: /done/ })).toMatchObject({ isGood: true });
    expect(await run('console.log("done")', { says: /other/ })).toMatchObject({
      isGood: false,
      output: 'done\n',
    });
  });

  it('is bad by its exit code, unless a refusal is wanted', async () => {
    expect((await run('process.exit(2)')).fault).toBe('ended with 2');
    expect(await run('process.exit(2)', { ends: 'refused' })).toMatchObject({ isGood: true });
    expect((await run('', { ends: 'refused' })).fault).toBe('ended with 0');
  });

  it('stops what serves once it is ready, and wants a kind end', async () => {
    const kind = 'process.on("SIGTERM", () => process.exit(0));';
    const forever = 'console.log("ready"); setInterval(() => undefined, 1000)';
    expect(await serve(kind + forever)).toMatchObject({ isGood: true });
    expect((await serve(forever)).fault).toBe('ended with SIGTERM when it was told to stop');
    expect((await serve('process.exit(0)')).fault).toBe('ended with 0 before it was ready');
  });

  it('does not wait forever', async () => {
    const endless = node('setInterval(() => undefined, 1000)');
    const { fault } = await play(endless, { kind: 'run', args: [] }, process.env, 500);
    expect(fault).toBe('was not through after 0.5 s');
  });
});
