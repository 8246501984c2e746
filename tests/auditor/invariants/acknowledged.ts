//! I15: every acknowledged request was stored.
import { ENTRY_COUNTS, entryCountValues } from '../history.ts';
import { breaches, find, findAll, type Invariant, type Sql, skip } from '../invariant.ts';

const { wrong, any } = breaches({
  'an entry': 'entry.id is not null',
  'a row in entry_reference': 'named.entry_id is not null',
  'the same reference': 'named.reference = entry.reference',
  'the user of the entry': 'named.user_id in (source.owner_id, target.owner_id)',
});

export const acknowledged: Invariant = {
  id: 'I15',
  claim: 'every acknowledged request was stored',
  async check(sql) {
    const bindings = await findAll(sql, [
      {
        claim: 'every entry bound to an idempotency key exists in its marketplace',
        of: 'idempotency',
        broken: `select idempotency.marketplace_id as marketplace, scope_hash as key,
            idempotency.entry_id as entry
          from idempotency left join entry
            on entry.marketplace_id = idempotency.marketplace_id and entry.id = idempotency.entry_id
          where idempotency.entry_id is not null and entry.id is null`,
      },
      {
        claim: 'every reference names an entry with that reference and user, and the reverse',
        of: 'entry_reference',
        broken: `select coalesce(entry.marketplace_id, named.marketplace_id) as marketplace,
            coalesce(entry.id, named.entry_id) as entry, entry.reference, named.user_id as user,
            named.reference as named, ${wrong} as "not"
          from (select * from entry where reference is not null) entry
          left join account source on source.id = entry.from_account
          left join account target on target.id = entry.to_account
          full join entry_reference named
            on named.marketplace_id = entry.marketplace_id and named.entry_id = entry.id
          where ${any}`,
      },
    ]);
    return [...bindings, await checkHistory(sql)];
  },
};

async function checkHistory(sql: Sql) {
  const claim = 'every acknowledged request left exactly one matching entry';
  if (sql.history === undefined)
    return skip(claim, 'not part of this check: requires a history of requests');
  const lines = sql.history.filter(({ outcome }) => outcome === 'acknowledged');
  return find(sql, {
    claim,
    of: lines.length,
    broken: `select * from (${ENTRY_COUNTS}) traces where entries <> 1 or fitting <> 1`,
    values: entryCountValues(lines),
  });
}
