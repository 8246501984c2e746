import { describe, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { createLog } from '../process/log.ts';
import { checkDatabase } from './boot-checks.ts';
import { checkDurability, type DurabilityFacts } from './durability.ts';

const STANDBY: DurabilityFacts = {
  reader: 'the_owner',
  can_read: true,
  sync_standbys: 1,
  archive_mode: 'off',
  has_archiver: false,
  archive_seconds: 0,
};
const ARCHIVE: DurabilityFacts = {
  ...STANDBY,
  sync_standbys: 0,
  archive_mode: 'on',
  has_archiver: true,
  archive_seconds: 30,
};

describe('what keeps a write', () => {
  it('is a synchronous standby, or an archive that is at most 30 s behind', () => {
    expect(checkDurability('standby', STANDBY)).toEqual([]);
    expect(checkDurability('archive', ARCHIVE)).toEqual([]);
    expect(checkDurability('archive', { ...ARCHIVE, archive_mode: 'always' })).toEqual([]);
    expect(checkDurability('none', { ...STANDBY, sync_standbys: 0 })).toEqual([]);
  });

  it.each([
    ['standby', { ...STANDBY, sync_standbys: 0 }, /no synchronous standby.*archive the log/],
    ['standby', ARCHIVE, /set HOLDFAST_DURABILITY=archive/],
    [
      'standby',
      { ...STANDBY, sync_standbys: 0, can_read: false },
      /grant pg_read_all_stats to the_owner/,
    ],
    ['archive', { ...ARCHIVE, archive_mode: 'off' }, /archive_mode is off: set it to on/],
    ['archive', { ...ARCHIVE, has_archiver: false }, /set archive_command/],
    ['archive', { ...ARCHIVE, archive_seconds: 0 }, /archive_timeout is 0 s/],
    ['archive', { ...ARCHIVE, archive_seconds: 31 }, /archive_timeout is 31 s/],
  ] as const)('is missing for %s with %j', (wanted, facts, message) => {
    const faults = checkDurability(wanted, facts);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  it('is demanded with the figures of the whole fault at once', () =>
    expect(checkDurability('archive', STANDBY)).toHaveLength(2));
});

describe('a real database', () => {
  const world = useWorld();
  const log = createLog('silent', 'test');
  const start = (role: 'api' | 'worker', wanted: 'standby' | 'archive') => {
    const app = role === 'api' ? world.app : world.worker;
    return checkDatabase(
      { ...app, log, config: { ...app.config, HOLDFAST_DURABILITY: wanted } },
      role,
    );
  };

  it('without a standby serves no process that demands one', async () => {
    await expect(start('api', 'standby')).rejects.toThrow(/no synchronous standby/);
    await expect(start('worker', 'standby')).rejects.toThrow(/no synchronous standby/);
  });

  it('names the grant where its owner cannot see standbys', async () => {
    const role = `owner_${process.pid}`;
    await world.rows(`create role ${role}`);
    const [{ owner } = { owner: '' }] = await world.rows<{ owner: string }>(
      `select proowner::regrole::text as owner from pg_proc where oid = 'work.durability'::regproc`,
    );
    await world.rows(`grant create, usage on schema work to ${role}`);
    await world.rows(`alter function work.durability owner to ${role}`);
    await expect(start('api', 'standby')).rejects.toThrow(`grant pg_read_all_stats to ${role}`);
    await world.rows(`grant pg_read_all_stats to ${role}`);
    await expect(start('api', 'standby')).rejects.toThrow(/no synchronous standby/);
    await world.rows(`alter function work.durability owner to ${owner}`);
    await world.rows(`drop owned by ${role}`);
    await world.rows(`drop role ${role}`);
  });
});
