//! A connection to the host that takes writes, where DATABASE_URL names several: the driver itself
//! would only know the first. Each new connection finds it anew, so that a promoted standby is used
//! within seconds, whichever host that is.
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUrls } from '@holdfast/kernel/database-urls';
import pg from 'pg';

/** Connections that are opened together share one search. */
const SEARCH_MS = 250;
const PROBE_MS_MAX = 2000;
/** For a host that is writable too: the one with the newer timeline was promoted later. */
const OTHERS_MS = 100;

/** Parts of the driver that it does not declare. */
interface Inner {
  readonly connection: { readonly stream: Duplex };
}

type Callback = Extract<Parameters<pg.Client['connect']>, [unknown]>[0];

export class DatabaseClient extends pg.Client {
  readonly #urls: readonly string[];

  constructor(config: pg.ClientConfig = {}) {
    const urls = databaseUrls(config.connectionString ?? '');
    super({ ...config, connectionString: urls[0] });
    this.#urls = urls;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | undefined {
    const connecting = this.#connect();
    if (callback === undefined) return connecting;
    connecting.then((client) => callback(null as never, client), callback as () => void);
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#urls.length === 1) return super.connect();
    const { host, port } = new pg.Client(await find(this.#urls));
    // A pool that waits no longer has destroyed it.
    const { stream } = (this as unknown as Inner).connection;
    if (stream.destroyed) throw new Error('Connection terminated due to connection timeout');
    Object.assign(this, { host, port });
    return super.connect();
  }
}

/** The given URL, or that of its host that takes writes. */
export async function writableUrl(url: string): Promise<string> {
  const urls = databaseUrls(url);
  if (urls.length > 1) return find(urls);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS_MAX });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return url;
}

const searches = new Map<string, Promise<string>>();

function find(urls: readonly string[]): Promise<string> {
  const key = urls.join();
  const known = searches.get(key);
  if (known !== undefined) return known;
  const search = findWritable(urls);
  searches.set(key, search);
  void search
    .catch(() => undefined)
    .then(() => sleep(SEARCH_MS, undefined, { ref: false }))
    .then(() => searches.delete(key));
  return search;
}

interface Found {
  readonly url: string;
  readonly timeline: string;
}

async function findWritable(urls: readonly string[]): Promise<string> {
  const writable: Found[] = [];
  const probes = urls.map(async (url) => {
    writable.push({ url, timeline: await timelineOf(url) });
  });
  await Promise.any(probes).catch(({ errors }: AggregateError) => {
    throw noWritableHost(errors);
  });
  if (writable.length < urls.length)
    await Promise.race([Promise.allSettled(probes), sleep(OTHERS_MS)]);
  // In the order of the URL where they are equal.
  const inOrder = urls.flatMap((url) => writable.filter((each) => each.url === url));
  return inOrder.reduce((one, other) => (other.timeline > one.timeline ? other : one)).url;
}

/** Throws unless the host takes writes. */
async function timelineOf(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS_MAX,
    query_timeout: PROBE_MS_MAX,
    application_name: 'holdfast search for the primary',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(`
      select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
        then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`);
    const { timeline = null } = rows[0] ?? {};
    if (timeline === null) throw new Error(`${client.host}:${client.port} takes no writes`);
    return timeline;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** As the driver reports a host that is away; a host that refuses us is the better reason. */
function noWritableHost(errors: readonly Error[]): Error {
  const isAway = ({ code }: Error & { code?: string }) => !/^(28|3D)/.test(code ?? '');
  const refused = errors.find((error) => !isAway(error));
  if (refused !== undefined && errors.every((error) => !isAway(error))) return refused;
  const reasons = errors.map(({ message }) => message).join('; ');
  return Object.assign(new Error(`no host of the database takes writes: ${reasons}`), {
    code: NO_WRITABLE_HOST,
  });
}

/** Of an error, beside the codes of PostgreSQL and of the system. */
export const NO_WRITABLE_HOST = 'NO_WRITABLE_HOST';
