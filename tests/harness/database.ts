//! A migrated database without any process of the service; dropped at the end.
import { newId } from '@holdfast/kernel/ids';
import { asAdmin, databaseUrl, findPostgres } from '../../apps/cli/src/local-postgres.ts';
import { migrate } from '../../apps/server/src/platform/database/migrator.ts';

export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
}

export async function openDatabase(purpose: string): Promise<OwnDatabase> {
  await using cleanup = new AsyncDisposableStack();
  const postgres = await findPostgres(process.env['DATABASE_URL']);
  cleanup.defer(() => postgres.stop());
  const name = `holdfast_${purpose}_${newId('op', Date.now()).slice(3, 19)}_${process.pid}`;
  const asOwner = (text: string) => asAdmin(postgres.adminUrl, (client) => client.query(text));
  await asOwner(`create database ${name}`);
  cleanup.defer(async () => void (await asOwner(`drop database ${name} with (force)`)));
  const url = databaseUrl(postgres.adminUrl, name);
  await migrate(url);
  const all = cleanup.move();
  return { url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
