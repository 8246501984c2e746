-- What a console looks for: an order by its reference, a user by an e-mail address, a transaction by
-- its hash. Only readers use these. None is led by the marketplace, so that no serializable
-- transaction is led into them (0008), and none holds a column that a move changes.
create index users_email_idx on users (lower(email) text_pattern_ops) where email is not null;
create index users_external_user_idx on users (external_user_id text_pattern_ops);
create index orders_reference_idx on orders (client_order_ref text_pattern_ops)
  where client_order_ref is not null;
create index orders_amount_idx on orders (amount, id);
create index deposit_hash_idx on deposit (hash);
create index entry_reference_idx on entry (reference, id) where reference is not null;

-- The house's accounts number nothing, so their entries are found by the entries' own numbers.
create index entry_from_house_idx on entry (from_account, id) where from_seq is null;
create index entry_to_house_idx on entry (to_account, id)
  where to_seq is null and to_account <> from_account;

-- An id like the kernel's newId: prefix, eleven characters of time, sixteen of chance.
create function make_id(prefix text, at timestamptz) returns text language sql volatile as $$
  select left(id_floor(prefix, at), length(prefix) + 12) || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(chance.bytes, place) & 31) + 1, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) chance, generate_series(0, 15) as place
$$;
revoke execute on function make_id from public;
grant execute on function make_id to holdfast_app;

-- A notice has a name of its own: what a provider calls it may hold any character. The default names
-- what a process of the version before stores.
alter table inbox add column id text collate "C" not null default make_id('inb', clock_timestamp());
update inbox set id = make_id('inb', received_at);
create unique index inbox_id_key on inbox (id);
-- Those of nobody yet stand under null.
create index inbox_list_idx on inbox (marketplace_id, id);
create index inbox_parked_idx on inbox (marketplace_id, id) where status = 'PARKED';

-- Internal notes on disputes. Written once; the parties never see them.
create table dispute_note (
  marketplace_id bigint not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  written_by text not null,
  note text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, dispute_id, id)
);
call guard_tenant_table('dispute_note');
grant select, insert on dispute_note to holdfast_app;

-- What belongs to nobody is run again by whoever stands outside of all marketplaces.
grant update (status, attempts, next_try_at, last_error) on inbox to holdfast_operator;
