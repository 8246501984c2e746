//! Statements that an attacker with a database login tries. Each is tried first as the owner of the
//! tables, and rolled back: a statement that cannot succeed at all proves nothing.
import pg from 'pg';
import type { AttackWorld } from './world.ts';

export interface Attempt {
  readonly title: string;
  readonly text: string;
  /** The owner needs no role: for attempts to become one. */
  readonly isForLoginsOnly?: true;
}

/** SQLSTATE of a missing right, also by row-level security. */
const DENIED = '42501';

/** The titles of the attempts that succeeded. All are rolled back. */
export async function succeededAs(
  { databaseUrl, urlAs }: Pick<AttackWorld, 'databaseUrl' | 'urlAs'>,
  login: string,
  marketplace: string,
  attempts: readonly Attempt[],
): Promise<string[]> {
  await using owner = await connect(databaseUrl);
  await using attacker = await connect(urlAs(login));
  const succeeded: string[] = [];
  for (const attempt of attempts) {
    if (!attempt.isForLoginsOnly) await tryOnce(owner.client, marketplace, attempt);
    const isDone = await tryOnce(attacker.client, marketplace, attempt).catch((error) => {
      if ((error as { code?: string }).code === DENIED) return false;
      throw error;
    });
    if (isDone) succeeded.push(attempt.title);
  }
  return succeeded;
}

/** The attacker may name any marketplace. */
async function tryOnce(client: pg.Client, marketplace: string, { title, text }: Attempt) {
  await client.query(`begin; set local app.marketplace_id = '${marketplace}'`);
  try {
    const { rowCount } = await client.query(text);
    if (rowCount === 0) throw new Error(`the attempt to ${title} found nothing to change`);
    return true;
  } finally {
    await client.query('rollback');
  }
}

async function connect(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

/** The number of the first marketplace, and a user of it with money. */
export async function findVictim({ arrange, createUser, monitor, ready }: AttackWorld) {
  const userId = await createUser();
  await arrange(`/users/${userId}/balance/credit`, { amount: '50.00' });
  const { rows } = await monitor.query<{ id: string }>(
    'select id from marketplace where public_id = $1',
    [ready.marketplaceId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the first marketplace is not there');
  return { userId, marketplace: row.id };
}
