-- Who may touch what. Five roles stand behind the service; none of them owns a table or bypasses
-- row-level security. Roles belong to the whole cluster, so another database may have made them.
--   holdfast_app       what api and worker connect as
--   holdfast_operator  taken on for one transaction by the master key's routes
--   holdfast_books     owns the posting functions and nothing else; the only writer of the books
--   holdfast_sequencer taken on by the worker's connection that gives events their place
--   holdfast_auditor   reads everything, writes nothing
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('holdfast_app', 'login noinherit'),
      ('holdfast_operator', 'nologin noinherit'),
      ('holdfast_books', 'nologin noinherit'),
      ('holdfast_sequencer', 'nologin noinherit'),
      ('holdfast_auditor', 'nologin noinherit')) as roles (name, attributes)
  loop
    begin
      if not exists (select from pg_roles where rolname = wanted.name) then
        execute format('create role %I %s nosuperuser nobypassrls nocreatedb nocreaterole',
          wanted.name, wanted.attributes);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- Another database's migration was first.
    end;
  end loop;
  -- Concurrent grants of one membership collide on the same catalogue row; one of them is enough.
  for wanted in select unnest(array['holdfast_operator', 'holdfast_sequencer']) as name loop
    begin
      if not pg_has_role('holdfast_app', wanted.name, 'member') then
        execute format('grant %I to holdfast_app', wanted.name);
      end if;
    exception when others then
      if not pg_has_role('holdfast_app', wanted.name, 'member') then raise; end if;
    end;
  end loop;
end $$;

revoke create on schema public from public;
grant usage on schema public
  to holdfast_app, holdfast_operator, holdfast_books, holdfast_sequencer, holdfast_auditor;

-- The functions that write the books live in a schema of their own, owned by their writer.
create schema books authorization holdfast_books;
grant usage on schema books to holdfast_app;

-- Every tenant row names its marketplace by this number; the public mkt_ id appears only here.
create table marketplace (
  id bigint generated always as identity primary key,
  public_id text collate "C" not null constraint marketplace_public_id_key unique,
  name text not null,
  created_at timestamptz not null
);
alter table marketplace enable row level security;
alter table marketplace force row level security;
create policy tenant on marketplace for select to holdfast_app
  using (id = current_setting('app.marketplace_id')::bigint);
create policy operator on marketplace to holdfast_operator using (true) with check (true);
create policy sequencer on marketplace for select to holdfast_sequencer using (true);
create policy auditor on marketplace for select to holdfast_auditor using (true);
grant select on marketplace to holdfast_app, holdfast_sequencer, holdfast_auditor;
grant select, insert, update on marketplace to holdfast_operator;

-- Forces row-level security on a tenant table: its own marketplace for the service, by a setting
-- that raises when nobody set it; everything for the auditor.
create procedure guard_tenant_table(tenant_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format($policy$create policy tenant on %s to holdfast_app
    using (marketplace_id = current_setting('app.marketplace_id')::bigint)
    with check (marketplace_id = current_setting('app.marketplace_id')::bigint)$policy$, tenant_table);
  execute format('create policy auditor on %s for select to holdfast_auditor using (true)',
    tenant_table);
  execute format('grant select on %s to holdfast_auditor', tenant_table);
end $$;
revoke execute on procedure guard_tenant_table from public;

-- The smallest id of an instant: prefix, eleven characters of microseconds, sixteen zeros.
-- The kernel's idFloor says the same in TypeScript; a test compares the two.
create function id_floor(prefix text, at timestamptz) returns text
language plpgsql immutable strict as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  micros bigint := greatest(0, (extract(epoch from at) * 1000000)::bigint);
  body text := '';
begin
  for place in 1..11 loop
    body := substr(alphabet, (micros % 32)::int + 1, 1) || body;
    micros := micros / 32;
  end loop;
  return prefix || '_' || body || repeat('0', 16);
end $$;
