//! M1: tenants' rows are isolated, and no role of the service can bypass the isolation.
import { findAll, type Invariant } from '../invariant.ts';

// Partitions too: a partition is a table that can be read past its parent's policies.
const TENANT_TABLES = `
  select class.* from pg_class class join pg_namespace schema on schema.oid = class.relnamespace
  where class.relkind in ('r', 'p') and schema.nspname !~ '^(pg_|information_schema)'
    and (class.oid = 'marketplace'::regclass or exists (select from pg_attribute
      where attrelid = class.oid and attname = 'marketplace_id' and not attisdropped))`;

export const tenancy: Invariant = {
  id: 'M1',
  claim: "every tenant's rows are isolated, and no role of the service can bypass that",
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'row-level security is on and forced on every tenant table and partition',
        of: `(${TENANT_TABLES}) tenant_tables`,
        broken: `select oid::regclass::text as "table", relrowsecurity as "on",
            relforcerowsecurity as forced
          from (${TENANT_TABLES}) tables where not (relrowsecurity and relforcerowsecurity)`,
      },
      {
        claim:
          'no role of the service can bypass row-level security, switch to a role that can, or own a tenant table',
        of: `pg_roles where rolname like 'holdfast\\_%'`,
        broken: `select role.rolname as role, strong.rolname as is, owned.oid::regclass::text as owns
          from pg_roles role
          left join pg_roles strong on (strong.rolsuper or strong.rolbypassrls)
            and (strong.oid = role.oid or pg_has_role(role.oid, strong.oid, 'member'))
          left join (${TENANT_TABLES}) owned on owned.relowner = role.oid
          where role.rolname like 'holdfast\\_%' and (strong.oid is not null or owned.oid is not null)`,
      },
    ]),
};
