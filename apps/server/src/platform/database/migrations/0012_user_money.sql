-- What the doors for users' money share: top-ups, withdrawals, deposits, differences. Each has its
-- own door, which takes amount and user from its own record; these are steps, not doors.

-- The user's account, opened at its first use, locked until the transaction ends.
create function books.lock_user_account(p_now timestamptz, p_user text, p_currency text)
returns account
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  marketplace bigint := current_setting('app.marketplace_id')::bigint;
  wanted bigint := books.open_account(marketplace, 'user', p_user, p_currency, p_now);
  locked account;
begin
  select * into locked from account where id = wanted for no key update;
  if not found then raise exception 'user % is not of this marketplace', p_user; end if;
  return locked;
end $$;

-- The number of a house account. Nobody ever locks one.
create function books.house_account(p_now timestamptz, p_kind text, p_currency text) returns bigint
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select books.open_account(current_setting('app.marketplace_id')::bigint, p_kind, '', p_currency, p_now)
$$;

-- At the end of every migration that makes doors: all functions of the books belong to their role,
-- and all but the named steps are doors.
create procedure books.seal_doors(steps text[]) language plpgsql as $$
declare
  routine record;
begin
  for routine in
    select p.oid::regprocedure as signature, p.proname = any (steps) as is_step
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'books' and p.prokind = 'f' and p.proowner <> 'holdfast_books'::regrole
  loop
    execute format('alter function %s owner to holdfast_books', routine.signature);
    execute format('revoke execute on function %s from public', routine.signature);
    continue when routine.is_step;
    execute format('grant execute on function %s to holdfast_app', routine.signature);
  end loop;
end $$;
revoke execute on procedure books.seal_doors from public;
call books.seal_doors(array['lock_user_account', 'house_account']);
