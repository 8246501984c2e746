-- Operators: people who sign in to the console. They belong to no marketplace; what one may do in
-- which is a membership. Only the role of the platform's own routes reaches these tables.
create table operator (
  id text collate "C" primary key,
  -- As typed, and as compared.
  email text not null,
  email_key text collate "C" not null constraint operator_email_key unique,
  name text not null,
  -- Argon2id, as a PHC string.
  password_hash text not null,
  -- Sealed with a key of the configuration; the version tells which.
  totp_secret bytea not null,
  totp_key_version text not null,
  -- The last step whose code was taken: no code is taken twice, and none before it.
  totp_step bigint not null default 0,
  status text not null,
  is_platform_admin boolean not null,
  last_signed_in_at timestamptz,
  created_at timestamptz not null,
  constraint operator_status_check check (status in ('ACTIVE', 'DISABLED'))
);

create table operator_membership (
  marketplace_id bigint not null references marketplace (id),
  operator_id text collate "C" not null references operator (id),
  role text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, operator_id),
  constraint operator_membership_role_check check (role in ('viewer', 'support', 'finance', 'admin'))
);
create index operator_membership_operator_idx on operator_membership (operator_id);
call guard_tenant_table('operator_membership');
create policy operator on operator_membership to holdfast_operator using (true) with check (true);

-- Only a SHA-256 of the token is kept: who reads this table can use none of them.
create table operator_session (
  id bigint generated always as identity primary key,
  token_hash bytea not null constraint operator_session_token_hash_key unique,
  operator_id text collate "C" not null references operator (id),
  -- Whoever shows the token with another user agent is not who got it.
  user_agent_hash bytea not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint operator_session_token_hash_check check (octet_length(token_hash) = 32)
);
create index operator_session_operator_idx on operator_session (operator_id) where ended_at is null;

grant select, insert on operator, operator_session to holdfast_operator;
grant update (password_hash, totp_secret, totp_key_version, totp_step, status, last_signed_in_at)
  on operator to holdfast_operator;
grant update (last_seen_at, ended_at) on operator_session to holdfast_operator;
grant select, insert, delete on operator_membership to holdfast_operator;
grant select on operator, operator_session to holdfast_auditor;

-- Somebody wants to sign in and nobody is known yet.
create function access.find_operator(wanted_email_key text)
returns table (id text, email text, name text, password_hash text, totp_secret bytea,
  totp_key_version text, status text, is_platform_admin boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id, email, name, password_hash, totp_secret, totp_key_version, status, is_platform_admin
  from operator where email_key = wanted_email_key
$$;

-- Who a token stands for, and what they are in the marketplace that they name. A token that comes
-- with another user agent has been taken from somebody: its session ends.
create function access.use_session(shown_hash bytea, shown_agent bytea, shown_at timestamptz,
  idle interval, wanted_marketplace text)
returns table (session_id bigint, expires_at timestamptz, operator_id text, email text, name text,
  is_platform_admin boolean, marketplace_id bigint, marketplace_public_id text, role text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found_session operator_session;
begin
  select s.* into found_session from operator_session s
  where s.token_hash = shown_hash and s.ended_at is null
    and s.expires_at > shown_at and s.last_seen_at + idle > shown_at;
  if not found then return; end if;
  if found_session.user_agent_hash <> shown_agent then
    update operator_session s set ended_at = shown_at
    where s.id = found_session.id and s.ended_at is null;
    return;
  end if;
  -- To the minute is enough, and most requests only read.
  if found_session.last_seen_at < shown_at - interval '1 minute' then
    update operator_session s set last_seen_at = shown_at
    where s.id = found_session.id and s.last_seen_at < shown_at;
  end if;
  return query
    select found_session.id, found_session.expires_at, o.id, o.email, o.name, o.is_platform_admin,
      m.id, m.public_id, b.role
    from operator o
    left join (operator_membership b
      join marketplace m on m.id = b.marketplace_id and m.public_id = wanted_marketplace)
      on b.operator_id = o.id
    where o.id = found_session.operator_id and o.status = 'ACTIVE';
end $$;

-- Which of these sessions are over: their streams end.
create function access.ended_sessions(session_ids bigint[], wanted_at timestamptz, idle interval)
returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted.id from unnest(session_ids) as wanted (id)
  left join operator_session s on s.id = wanted.id and s.ended_at is null
    and s.expires_at > wanted_at and s.last_seen_at + idle > wanted_at
  left join operator o on o.id = s.operator_id and o.status = 'ACTIVE'
  where o.id is null
$$;

-- An approval is carried out for whoever asked: they must still be what they were.
create function access.find_membership(wanted_operator text, wanted_marketplace bigint)
returns table (email text, name text, role text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.email, o.name, b.role from operator o
  join operator_membership b on b.operator_id = o.id and b.marketplace_id = wanted_marketplace
  where o.id = wanted_operator and o.status = 'ACTIVE'
$$;

alter function access.find_operator owner to holdfast_operator;
alter function access.use_session owner to holdfast_operator;
alter function access.ended_sessions owner to holdfast_operator;
alter function access.find_membership owner to holdfast_operator;
revoke execute on all functions in schema access from public;
grant execute on all functions in schema access to holdfast_app;

-- An admin of a marketplace manages its keys: within the marketplace, by row-level security.
grant insert on api_key to holdfast_app;
grant update (expires_at, revoked_at) on api_key to holdfast_app;

-- Deeds of operators are told from those of keys.
alter table audit drop constraint audit_actor_type_check;
alter table audit add constraint audit_actor_type_check check (
  actor_type in ('API_KEY', 'MASTER_KEY', 'MEMBER', 'OPERATOR', 'SYSTEM', 'PROVIDER'));

create function books.actor_type_of(p_actor text) returns text
language sql immutable parallel safe as $$
  select case when p_actor = 'system' then 'SYSTEM' when p_actor like 'opr\_%' then 'OPERATOR'
    else 'API_KEY' end
$$;
alter function books.actor_type_of owner to holdfast_books;
revoke execute on function books.actor_type_of from public;

-- The three functions that write the audit of a posting took every actor for a key. Only that word
-- of them changes, so they are made anew from what they are.
do $$
declare
  changed record;
  definition text;
begin
  for changed in
    select * from (values
      ('books.post_one', '''API_KEY'', p_actor', 'books.actor_type_of(p_actor), p_actor'),
      ('books.post_batch', '''API_KEY'',', 'books.actor_type_of(actor),'),
      ('books.tell_posting', 'case p_made.actor_id when ''system'' then ''SYSTEM'' else ''API_KEY'' end',
        'books.actor_type_of(p_made.actor_id)')) as functions (name, old, new)
  loop
    definition := pg_get_functiondef(changed.name::regproc);
    if (length(definition) - length(replace(definition, changed.old, ''))) <> length(changed.old) then
      raise exception '% does not say % once', changed.name, changed.old;
    end if;
    execute replace(definition, changed.old, changed.new);
  end loop;
end $$;
