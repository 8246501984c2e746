-- A marketplace with a past: $orders orders over ninety days, the newest two hours ago, most of them
-- closed, with their postings, operations, envelopes and notifications. Written past the service, as it would
-- stand there; :marketplace and :orders are put in by the bench.
insert into users (marketplace_id, id, external_user_id, email, type, status, deposit_currency,
  created_at, updated_at)
select :marketplace, new_id('usr', now() - make_interval(days => 91)), 'customer-' || n,
  'person' || n || '@example.com', 'BOTH', 'ACTIVE', 'USD', now(), now()
from generate_series(1, 5000) as n;

create temporary table person as
select row_number() over (order by id) as n, id from users where marketplace_id = :marketplace;
create unique index on person (n);
analyze person;

insert into account (marketplace_id, kind, owner_id, currency, updated_at)
select :marketplace, 'user', id, 'USD', now() from person
union all select :marketplace, 'fee_income', '', 'USD', now();

create temporary table deal as
select deals.n, made_at, new_id('ord', made_at) as id, new_id('op', made_at) as operation_id,
  new_id('esc', made_at) as escrow_id,
  buyer.id as buyer_id, seller.id as seller_id,
  (500 + (deals.n::bigint * 7919) % 250000) as amount,
  case when deals.n % 50 = 0 then 'DISPUTED' when deals.n % 20 = 1 then 'IN_PROGRESS'
    when deals.n % 100 = 3 then 'ORDER_CREATED' else 'CLOSED' end as status
from generate_series(1, :orders) as deals (n)
cross join lateral (select now() - interval '2 hours'
  - (:orders - deals.n) * (interval '90 days' / :orders) as made_at) as made
join person buyer on buyer.n = 1 + deals.n % 2500
join person seller on seller.n = 2501 + (deals.n * 31) % 2500;

insert into orders (marketplace_id, id, status, buyer_id, seller_id, amount, currency,
  fee_basis_points, fee, title, client_order_ref, request_hash, metadata, close_reason, escrow_id,
  created_at, updated_at)
select :marketplace, id, status, buyer_id, seller_id, amount, 'USD', 500, amount / 20,
  'Order number ' || n, 'shop-' || n, gen_random_uuid(), '{}',
  case status when 'CLOSED' then 'RELEASED' end, escrow_id, made_at, made_at
from deal;
insert into open_order (marketplace_id, order_id)
select :marketplace, id from deal where status <> 'CLOSED';
insert into account (marketplace_id, kind, owner_id, currency, updated_at)
select :marketplace, 'escrow', id, 'USD', made_at from deal;
-- Without figures about them the joins below take minutes.
analyze deal;
analyze account;
insert into escrow (marketplace_id, id, order_id, status, contract_type, amount, fee_basis_points,
  buyer_address, seller_address, platform_address, resolver_address, deploy_hash,
  provider_contract_id, created_at, funded_at)
select :marketplace, escrow_id, id, 'FUNDED', 'SINGLE_RELEASE', amount, 500, 'GB', 'GS', 'GP', 'GR',
  md5('deploy' || n), 'C' || upper(md5('contract' || n)), made_at, made_at
from deal where status <> 'ORDER_CREATED';
insert into contract (provider_contract_id, marketplace_id, escrow_id)
select 'C' || upper(md5('contract' || n)), :marketplace, escrow_id
from deal where status <> 'ORDER_CREATED';

create temporary table numbered as
select d.n, d.id, d.made_at, d.amount, d.status, b.id as buyer, s.id as seller, e.id as escrow,
  (select id from account where marketplace_id = :marketplace and kind = 'fee_income') as fees
from deal d
join account b on b.marketplace_id = :marketplace and b.kind = 'user' and b.owner_id = d.buyer_id and b.currency = 'USD'
join account s on s.marketplace_id = :marketplace and s.kind = 'user' and s.owner_id = d.seller_id and s.currency = 'USD'
join account e on e.marketplace_id = :marketplace and e.kind = 'escrow' and e.owner_id = d.id and e.currency = 'USD';

insert into entry (marketplace_id, id, kind, currency, amount, from_account, from_bucket, to_account,
  to_bucket, from_seq, from_available, from_reserved, to_seq, to_available, to_reserved, subject_id,
  actor_id, correlation_id, created_at)
select :marketplace, books.entry_id_floor(made_at) + step.at * 1048576 + n, step.kind, 'USD', step.amount,
  step.giver, step.from_bucket, step.taker, step.to_bucket,
  n * 8 + step.at, 0, 0,
  case when step.kind in ('order_hold', 'order_fee') then null else n * 8 + step.at end, 0, 0, id,
  'key_bench', 'bench', made_at
from numbered cross join lateral (values
  (0, 'order_hold', amount, buyer, 'available', buyer, 'reserved'),
  (1, 'escrow_fund', amount, buyer, 'reserved', escrow, 'available'),
  (2, 'order_release', amount - amount / 20, escrow, 'available', seller, 'available'),
  (3, 'order_fee', amount / 20, escrow, 'available', fees, 'available'))
  as step (at, kind, amount, giver, from_bucket, taker, to_bucket)
where status <> 'ORDER_CREATED' and (status = 'CLOSED' or step.at < 2);

insert into operation (marketplace_id, id, kind, resource_type, resource_id, status, epoch, attempts,
  has_moved_money, plan, result, next_try_at, heartbeat_at, actor_id, correlation_id, created_at, updated_at)
select :marketplace, operation_id, 'release-order', 'Order', id, case when n % 500 = 0 then 'RUNNING' else 'DONE' end,
  1, case when n % 500 = 0 then 3 else 1 end, true, '{}', null, made_at, made_at, 'key_bench', 'bench', made_at, made_at
from deal;
insert into open_operation (marketplace_id, resource_id, operation_id)
select :marketplace, id, operation_id from deal where n % 500 = 0;
insert into operation_step (marketplace_id, operation_id, name, epoch, status, purpose, provider,
  moves_money, started_at, ended_at)
select :marketplace, operation_id, step, 1, 'DONE', 'release-order:' || step || ':' || operation_id, provider,
  step = 'release', made_at, made_at
from deal cross join (values ('read', 'ledger_network'), ('release', 'escrow_provider')) as steps (step, provider);
insert into envelope (marketplace_id, purpose, attempt, hash, inner_hash, xdr, source, sequence, max_time, state, created_at)
select :marketplace, 'release-order:release:' || operation_id, 1, md5('hash' || n) || md5('more' || n),
  md5('inner' || n) || md5('more' || n), '', 'GS', n, 1, 'APPLIED', made_at
from deal;

insert into dispute (marketplace_id, id, order_id, opened_by, reason, status, created_at, updated_at)
select :marketplace, new_id('dsp', made_at), id, 'BUYER', 'OTHER', 'OPEN', made_at, made_at
from deal where status = 'DISPUTED';
insert into inbox (provider, provider_event_id, marketplace_id, resource_id, event_type, body, received_at,
  correlation_id, status, attempts, next_try_at, applied_at, last_error)
select 'escrow-provider', 'event-' || n, :marketplace, id, 'escrow.released', '{}', made_at, 'bench',
  case when n % 1000 = 0 then 'PARKED' else 'APPLIED' end, 1, made_at,
  case when n % 1000 = 0 then null else made_at end, null
from deal;
insert into withdrawal (marketplace_id, id, user_id, status, amount, currency, destination_type,
  destination_ref, expires_at, created_at, updated_at)
select :marketplace, new_id('wd', now()), id, 'WITHDRAWAL_CREATED', 1000, 'USD', 'crypto', 'GD',
  now() + interval '7 days', now(), now()
from person where n <= 300;
