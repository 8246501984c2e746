//! A connection to the database of a deployment.
import { databaseUrls } from '@holdfast/kernel/database-urls';
import pg from 'pg';

interface ConnectOptions {
  /** As the server shows it: `holdfast doctor`. */
  readonly name: string;
  readonly queryMsMax?: number;
}

const CONNECT_MS_MAX = 3000;

/** Where the URL names several hosts, the one that takes writes, as the processes find it. */
export async function connectDatabase(
  url: string,
  { name, queryMsMax }: ConnectOptions,
): Promise<pg.Client> {
  const urls = databaseUrls(url);
  let reason = new Error('no host takes writes');
  for (const connectionString of urls) {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: queryMsMax,
      application_name: name,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (urls.length === 1) return client;
      const { rows } = await client.query('select 1 where not pg_is_in_recovery()');
      if (rows.length > 0) return client;
    } catch (error) {
      reason = error as Error;
    }
    await client.end().catch(() => undefined);
  }
  throw reason;
}
