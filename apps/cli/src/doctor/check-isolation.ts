//! Checks that row-level security binds the logins of the processes on all tables of marketplaces.
import { countText } from '../terminal/words.ts';
import { type Check, faulty, fine, listText, skipped } from './check.ts';

interface Facts {
  readonly role: string;
  readonly exists: boolean;
  readonly is_unsafe: boolean | null;
  readonly inherits: boolean | null;
  readonly owns: number;
  readonly guarded: number;
  readonly unguarded: readonly string[];
  readonly open: readonly string[];
}

/** Tables with a marketplace_id: switched on, forced for their owner too, bound by a policy. */
const FACTS = `
  with server as (select unnest(coalesce($1::text[], array[current_user::text])) as role),
  tenant as (
    select c.oid, c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity as is_forced
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where a.attname = 'marketplace_id' and c.relkind in ('r', 'p')
      and c.relnamespace = 'public'::regnamespace)
  select server.role, r.oid is not null as exists, r.rolsuper or r.rolbypassrls as is_unsafe,
    r.rolinherit as inherits,
    (select count(*)::int from pg_class where relowner = r.oid and relkind in ('r', 'p')) as owns,
    (select count(*)::int from tenant where is_forced) as guarded,
    array(select name from tenant where not is_forced order by name) as unguarded,
    array(select distinct t.name from tenant t join pg_policy p on p.polrelid = t.oid
      where (r.oid = any (p.polroles) or 0::oid = any (p.polroles))
        and pg_get_expr(p.polqual, p.polrelid) = 'true'
      order by t.name) as open
  from server left join pg_roles r on r.rolname = server.role order by server.role`;

export const checkIsolation: Check = {
  name: 'isolation',
  needsServer: false,
  async run({ database }) {
    if (database === undefined)
      return skipped('not checked: pass --database URL or set DATABASE_URL');
    const found = await database.query<Facts>(FACTS, [database.roles ?? null]).catch(() => []);
    const [first] = found;
    if (first === undefined) return skipped('the database does not respond');
    const { guarded, unguarded } = first;
    if (guarded + unguarded.length === 0) return skipped('the database has no tables yet');
    const worst = found.find((facts) => faultsOf(facts).length > 0);
    const roles = found.map(({ role }) => role).join(' and ');
    if (worst === undefined)
      return fine(`row-level security applies to ${roles} on ${guarded} tables`);
    // What concerns the tables is found for each role, and said once.
    const faults = [...new Set(found.flatMap(faultsOf))];
    return faulty(
      'rls-off',
      `row-level security is not effective: ${listText(faults)}`,
      fixOf(worst),
    );
  },
};

function faultsOf({ role, unguarded, open, ...facts }: Facts): string[] {
  return [
    ...(facts.exists ? [] : [`role ${role} does not exist`]),
    ...(facts.is_unsafe === true ? [`${role} is a superuser or bypasses row-level security`] : []),
    ...(facts.inherits === true ? [`${role} inherits the rights of its roles`] : []),
    ...(facts.owns > 0 ? [`${role} owns ${countText(facts.owns, 'table')}`] : []),
    ...(unguarded.length > 0 ? [`not forced on ${unguarded.join(', ')}`] : []),
    ...(open.length > 0 ? [`a policy allows all rows on ${open.join(', ')}`] : []),
  ];
}

function fixOf({ role, unguarded: [table], open, is_unsafe, owns, inherits }: Facts): string {
  if (table !== undefined)
    return `run: alter table ${table} enable row level security, force row level security`;
  if (open.length > 0)
    return `drop the policies that allow all rows on ${open.join(', ')}; only migrations should create policies`;
  if (is_unsafe === true || owns > 0)
    return 'set DATABASE_URL: the API server connects as holdfast_api, the worker as holdfast_worker';
  if (inherits === true) return `run: alter role ${role} noinherit`;
  return 'run `holdfast migrate`, which creates the roles';
}
