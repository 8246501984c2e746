-- Roles, schemas and marketplaces. Seven roles stand behind the service; none of them owns a table
-- or bypasses row-level security. Roles belong to the whole cluster, so they may exist already.
--   holdfast_api       the login of the API server
--   holdfast_worker    the login of the worker
--   holdfast_operator  assumed for one transaction by the master key's routes, in the API server
--   holdfast_books     owns the posting functions and nothing else; the only writer of the books
--   holdfast_custody   owns the function that gives a pooled wallet to a user, and nothing else
--   holdfast_sequencer assumed by the worker's connection that gives events their positions
--   holdfast_auditor   reads everything, writes nothing
-- The logins inherit nothing: with the policy of the operator, an inheriting one would see the rows
-- of every marketplace without naming one. `grants.ts` lists what each role may do.
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('holdfast_api', 'login noinherit'),
      ('holdfast_worker', 'login noinherit'),
      ('holdfast_operator', 'nologin noinherit'),
      ('holdfast_books', 'nologin noinherit'),
      ('holdfast_custody', 'nologin noinherit'),
      ('holdfast_sequencer', 'nologin noinherit'),
      ('holdfast_auditor', 'nologin noinherit')) as roles (name, attributes)
  loop
    begin
      if not exists (select from pg_roles where rolname = wanted.name) then
        execute format('create role %I %s nosuperuser nobypassrls nocreatedb nocreaterole',
          wanted.name, wanted.attributes);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- The migration of another database was first.
    end;
  end loop;
  -- Concurrent grants of one membership collide on the same catalogue row; one of them is enough.
  for wanted in
    select * from (values
      ('holdfast_api', 'holdfast_operator'),
      ('holdfast_worker', 'holdfast_sequencer')) as memberships (login, role)
  loop
    begin
      if not pg_has_role(wanted.login, wanted.role, 'member') then
        execute format('grant %I to %I', wanted.role, wanted.login);
      end if;
    exception when others then
      if not pg_has_role(wanted.login, wanted.role, 'member') then raise; end if;
    end;
  end loop;
end $$;

revoke create on schema public from public;
grant usage on schema public
  to holdfast_api, holdfast_worker, holdfast_operator, holdfast_books, holdfast_custody,
    holdfast_sequencer, holdfast_auditor;

-- Functions that write the books, owned by the only role that can. Open to public: the bounds of
-- partitions are computed by one of them.
create schema books authorization holdfast_books;
grant usage on schema books to holdfast_api, holdfast_worker, public;

-- What the API server may do with wallets whose seeds it must not touch.
create schema custody authorization holdfast_custody;
grant usage on schema custody to holdfast_api;

-- Functions for callers that have shown a secret or named a key and have no marketplace yet.
create schema access authorization holdfast_operator;
grant usage on schema access to holdfast_api;

-- Functions that find pending work over all marketplaces: they return where it is, not its content.
create schema work authorization holdfast_operator;
grant usage on schema work to holdfast_api, holdfast_worker;

-- Every tenant row names its marketplace by this number; the public mkt_ id appears only here.
create table marketplace (
  id bigint generated always as identity primary key,
  public_id text collate "C" not null constraint marketplace_public_id_key unique,
  name text not null,
  created_at timestamptz not null
);
alter table marketplace enable row level security;
alter table marketplace force row level security;
create policy tenant on marketplace for select to holdfast_api, holdfast_worker
  using (id = current_setting('app.marketplace_id')::bigint);
create policy operator on marketplace to holdfast_operator using (true) with check (true);
create policy sequencer on marketplace for select to holdfast_sequencer using (true);
create policy auditor on marketplace for select to holdfast_auditor using (true);
grant select on marketplace to holdfast_api, holdfast_worker, holdfast_sequencer, holdfast_auditor;
grant select, insert, update on marketplace to holdfast_operator;
