//! I11: each marketplace's events have one order without gaps, at increasing times.
import { type Check, findAll, findRepeats, type Invariant } from '../invariant.ts';

// Ids start with eleven base-32 digits of microseconds: the cursor that an event id stands for.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_MICROS = Array.from(
  { length: 11 },
  (_, at) =>
    `(strpos('${DIGITS}', substr(event.id, ${at + 5}, 1)) - 1)::bigint << ${5 * (10 - at)}`,
)
  .map((digit) => `(${digit})`)
  .join(' + ');

/** Old months are dropped, but never the last two days, with any retention. */
const MAY_BE_DROPPED = `head.occurred_at < now() - interval '2 days'`;

const CHECKS: readonly Check[] = [
  {
    // The first position is free: events older than the retention may be dropped.
    claim: 'positions of a marketplace run without gap or repeat',
    of: 'event',
    broken: `select marketplace_id as marketplace, id as event, position, before
      from (select marketplace_id, id, position, lag(position) over places as before from event
        window places as (partition by marketplace_id order by position)) places
      where position <> before + 1 or position is null or position < 1`,
  },
  {
    claim: 'every event is later than the one before it',
    of: 'event',
    broken: `select marketplace_id as marketplace, id as event, position, occurred_at, before
      from (select marketplace_id, id, position, occurred_at, lag(occurred_at) over places as before
        from event window places as (partition by marketplace_id order by position)) places
      where occurred_at <= before`,
  },
  {
    claim: 'every event id starts with the time of its event',
    of: 'event',
    broken: `select marketplace_id as marketplace, id as event, position, occurred_at
      from event where (octet_length(id) = 31 and starts_with(id, 'evt_')
        and translate(substr(id, 5), '${DIGITS}', '') = ''
        and ${ID_MICROS} = (extract(epoch from occurred_at) * 1000000)::bigint) is not true`,
  },
  {
    claim: 'the head of every log is its last event',
    of: 'event_head',
    broken: `select coalesce(head.marketplace_id, last.marketplace_id) as marketplace,
        head.position as head, head.occurred_at as head_at, last.position, last.occurred_at
      from event_head head
      full join (select distinct on (marketplace_id) marketplace_id, position, occurred_at
        from event order by marketplace_id, position desc) last using (marketplace_id)
      where case when last.marketplace_id is null then head.position > 0 and not ${MAY_BE_DROPPED}
        else (head.position = last.position and head.occurred_at = last.occurred_at) is not true end`,
  },
];

export const positions: Invariant = {
  id: 'I11',
  claim: 'events of a marketplace have one order without gaps, at increasing times',
  async check(sql) {
    const ordered = await findAll(sql, CHECKS);
    return [...ordered, await findRepeats(sql, 'event', ['id'])];
  },
};
