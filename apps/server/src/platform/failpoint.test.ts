import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ConfigurationFault, readConfig } from '../config.ts';
import { type OutsideWorld, openOutsideWorld } from '../testing/outside.ts';
import { failpoint, watchFailpoints } from './failpoint.ts';

let world: OutsideWorld;
beforeAll(async () => {
  world = await openOutsideWorld();
});
afterAll(() => world.close());
afterEach(() => watchFailpoints(undefined));

const script = (armed: string) => `
  import { armFailpoint, failpoint } from ${JSON.stringify(new URL('failpoint.ts', import.meta.url).href)};
  process.on('exit', () => process.stdout.write('exit'));
  armFailpoint(${JSON.stringify(armed)});
  failpoint('toy:one:after-send');
  process.stdout.write('alive');`;
const run = (armed: string) =>
  spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script(armed)], {
    encoding: 'utf8',
  });

it('kills the process at the place that is named, and nowhere else', () => {
  expect(run('toy:one:after-send')).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(run('toy:one:before-send')).toMatchObject({ status: 0, stdout: 'aliveexit' });
});

it('kills whoever works for the request that a folder names, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-failpoints-'));
  const work = `
    import { armFailpoint, failpoint, passFor } from ${JSON.stringify(new URL('failpoint.ts', import.meta.url).href)};
    armFailpoint(${JSON.stringify(folder)});
    failpoint('toy:two:after-send');
    const pass = async () => { for (const name of ['one', 'two']) failpoint('toy:' + name + ':after-send'); };
    await passFor('../elsewhere', pass);
    await passFor('other', pass);
    await passFor('mine', async () => { await null; await pass(); });
    process.stdout.write('alive');`;
  const runWork = () =>
    spawnSync(process.execPath, ['--input-type=module-typescript', '-e', work], {
      encoding: 'utf8',
    });
  writeFileSync(join(folder, 'mine'), 'toy:two:after-send');
  expect(runWork()).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(runWork()).toMatchObject({ status: 0, stdout: 'alive' });
  const both = 'toy:one:after-send\ntoy:two:after-send\n';
  expect(readFileSync(join(folder, 'mine.passed'), 'utf8')).toBe(both + both);
  expect(readdirSync(folder).sort()).toEqual(['mine.passed', 'other.passed']);
  rmSync(folder, { recursive: true });
});

it('does nothing when nobody watches', () => {
  expect(() => failpoint('toy:one:after-send')).not.toThrow();
});

it.each(['toy:one:after-send', '/tmp/places'])('can not be set in production: %s', (place) => {
  const env = { NODE_ENV: 'production', HOLDFAST_FAILPOINT: place };
  expect(() => readConfig(env)).toThrow(ConfigurationFault);
  expect(() => readConfig(env)).toThrow(/HOLDFAST_FAILPOINT: nothing dies on purpose/);
});

it('stands around signing, writing down, sending and the answer', async () => {
  const market = await world.market();
  await market.user();
  const places: string[] = [];
  watchFailpoints((name) => places.push(name));
  await world.runWorker();
  expect(places).toEqual([
    'envelope:before-sign',
    'envelope:after-sign',
    'envelope:after-persist',
    'envelope:before-send',
    'envelope:after-send',
    'envelope:after-answer',
  ]);
});
