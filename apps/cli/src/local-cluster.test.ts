import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Cluster, startCluster } from './local-cluster.ts';
import { asAdmin } from './local-postgres.ts';
import { createTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const START_MS_MAX = 60_000;

const readValue = (cluster: Cluster, sql: string): Promise<string> =>
  asAdmin(cluster.adminUrl, async (client) => {
    const { rows } = await client.query<{ value: string }>(`select (${sql})::text as value`);
    return rows[0]?.value ?? '';
  });

function storedIn({ path }: TemporaryFolder) {
  // Entered by the user that it runs as when we are root.
  chmodSync(path, 0o711);
  return { programs: 'embedded', dataFolder: join(path, 'postgres') } as const;
}

test(
  'the PostgreSQL that npm brings is fit to serve, and gone when it is stopped',
  async () => {
    const cluster = await startCluster({ programs: 'embedded' });
    expect(cluster.what).toBe('installed by npm');
    expect(
      Number(await readValue(cluster, "current_setting('server_version_num')")),
    ).toBeGreaterThan(180_000);
    expect(await readValue(cluster, "current_setting('data_checksums')")).toBe('on');
    expect(await readValue(cluster, "current_setting('listen_addresses')")).toBe('');
    const home = await readValue(cluster, "current_setting('unix_socket_directories')");
    expect(existsSync(home)).toBe(true);
    await cluster.stop();
    expect(existsSync(home)).toBe(false);
  },
  START_MS_MAX,
);

test(
  'stored data is still there at the next start',
  async () => {
    using folder = createTemporaryFolder('holdfast-kept');
    const options = storedIn(folder);
    const first = await startCluster(options);
    await asAdmin(first.adminUrl, (client) =>
      client.query('create table kept as select 7 as seven'),
    );
    await first.stop();
    const second = await startCluster(options);
    const stored = await readValue(second, 'select seven from kept');
    await second.stop();
    expect(stored).toBe('7');
  },
  START_MS_MAX,
);

test(
  'a second server on the same folder is refused with its reason',
  async () => {
    using folder = createTemporaryFolder('holdfast-kept');
    const options = storedIn(folder);
    const first = await startCluster(options);
    await expect(startCluster(options)).rejects.toThrow(/did not start: .*postmaster\.pid/s);
    await first.stop();
  },
  START_MS_MAX,
);
