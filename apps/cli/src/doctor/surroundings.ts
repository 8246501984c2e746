//! The inputs of `doctor` checks: the server, the settings of its processes, its database.
import type { Clock } from '@holdfast/kernel/clock';
import { databaseUrls } from '@holdfast/kernel/database-urls';
import type pg from 'pg';
import { connectDatabase } from '../connect-database.ts';
import { LOGINS } from '../process-settings.ts';

type Settings = Readonly<Record<string, string | undefined>>;

export interface Surroundings {
  /** The server's own address, without `/api/v1`. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly masterKey: string | undefined;
  /** As the server's processes have them, as far as they are known here. */
  readonly settings: Settings;
  readonly clock: Clock;
  /** How far the pretend world's clock was set forward; 0 on a real network. */
  readonly offsetMs: number;
  readonly sandbox: string | undefined;
  readonly database: DoctorDatabase | undefined;
}

export interface DoctorDatabase {
  /** The roles that the processes work as: their rights count. Undefined: the role of the login. */
  readonly roles: readonly string[] | undefined;
  /** Host and name, without a password. */
  readonly name: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface SurroundingsOptions {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly masterKey?: string | undefined;
  readonly settings: Settings;
  readonly sandbox?: string | undefined;
  /** --database: as an operator would log in, so not with the rights of the server. */
  readonly databaseUrl?: string | undefined;
  readonly clock: Clock;
}

const CONNECTION = { name: 'holdfast doctor', queryMsMax: 3000 } as const;

export async function surroundingsOf(options: SurroundingsOptions): Promise<Surroundings> {
  const { settings, sandbox = settings['HOLDFAST_SANDBOX_URL'], databaseUrl } = options;
  const own = settings['DATABASE_URL'];
  // A process that switches to its role connects as another one, which is not examined.
  const isSwitched = databaseUrl !== undefined || settings['HOLDFAST_DATABASE_ROLE'] !== undefined;
  const url = databaseUrl ?? own;
  const roles = isSwitched ? Object.values(LOGINS) : undefined;
  const database = url === undefined ? undefined : databaseAt(url, roles);
  return {
    url: options.url,
    apiKey: options.apiKey,
    masterKey: options.masterKey,
    settings,
    sandbox,
    database,
    clock: options.clock,
    offsetMs: sandbox === undefined ? 0 : await offsetOf(sandbox),
  };
}

function databaseAt(url: string, roles: readonly string[] | undefined): DoctorDatabase {
  return {
    roles,
    name: addressOf(url),
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const client = await connectDatabase(url, CONNECTION);
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

export function addressOf(url: string): string {
  // A login without a host, in front of a folder of sockets, is no URL for URL.
  const urls = databaseUrls(url).map((each) => new URL(each.replace(/\/\/[^/@]*@\//, '///')));
  const hosts = urls.map(({ hostname, port, searchParams }) => {
    return `${hostname || searchParams.get('host') || 'socket'}${port && `:${port}`}`;
  });
  return `${hosts.join()}${urls[0]?.pathname}`;
}

/** An unreachable sandbox has no time offset; other checks report that it is unreachable. */
async function offsetOf(sandbox: string): Promise<number> {
  const body = await fetch(`${sandbox}/control/clock`, { signal: AbortSignal.timeout(2000) }).then(
    (response) => response.json() as Promise<{ offsetMs?: unknown }>,
    () => ({ offsetMs: 0 }),
  );
  return typeof body.offsetMs === 'number' ? body.offsetMs : 0;
}
