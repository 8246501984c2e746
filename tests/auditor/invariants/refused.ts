//! I16: each request has one response, and a refused request left nothing behind.
import { ENTRY_COUNTS, entryCountValues } from '../history.ts';
import { find, findAll, findRepeats, type Invariant, type Sql, skip } from '../invariant.ts';

export const refused: Invariant = {
  id: 'I16',
  claim: 'each request has one response, and a refused request left nothing behind',
  async check(sql) {
    const bindings = await findAll(sql, [
      {
        claim: 'every idempotency key is bound to one entry, refusal, response or operation',
        of: 'idempotency',
        broken: `select marketplace_id as marketplace, scope_hash as key, entry_id as entry,
            refusal, status
          from idempotency
          where num_nonnulls(entry_id, refusal, response, operation_id) <> 1
            or (response is not null and status is null)`,
      },
      {
        // Only a repeated reference with the same content may bind an entry to a second key.
        claim: 'no entry is bound by two keys, unless they repeat its reference',
        of: 'idempotency',
        broken: `select marketplace_id as marketplace, entry_id as entry, keys, key
          from (select marketplace_id, entry_id, count(*) as keys,
              min(scope_hash::text) as key, array_agg(request_hash) as requests
            from idempotency where entry_id is not null group by 1, 2 having count(*) > 1) bound
          where not exists (select from entry_reference named
            where named.marketplace_id = bound.marketplace_id and named.entry_id = bound.entry_id
              and named.request_hash = all (bound.requests))`,
      },
    ]);
    return [
      ...bindings,
      await findRepeats(sql, 'entry_reference', ['marketplace_id', 'user_id', 'reference']),
      await checkHistory(sql, 'refused', 'a refused request left no entry', 'entries <> 0'),
      await checkHistory(
        sql,
        'unknown',
        'a request of unknown outcome left one matching entry, or none',
        'entries > 1 or fitting <> entries',
      ),
    ];
  },
};

async function checkHistory(
  sql: Sql,
  outcome: 'refused' | 'unknown',
  claim: string,
  wrong: string,
) {
  if (sql.history === undefined)
    return skip(claim, 'not part of this check: requires a history of requests');
  const lines = sql.history.filter((line) => line.outcome === outcome);
  return find(sql, {
    claim,
    of: lines.length,
    broken: `select * from (${ENTRY_COUNTS}) traces where ${wrong}`,
    values: entryCountValues(lines),
  });
}
