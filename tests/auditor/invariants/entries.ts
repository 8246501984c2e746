//! I2: every entry is well-formed.
import { breaches, find, findRepeats, type Invariant } from '../invariant.ts';
import { hasBalance, KINDS } from '../kinds.ts';

const FROM_FIGURES = 'entry.from_seq, entry.from_available, entry.from_reserved';
const TO_FIGURES = 'entry.to_seq, entry.to_available, entry.to_reserved';
const IS_WITHIN = 'entry.from_account = entry.to_account';
const KNOWN_BUCKETS = `('available', 'reserved')`;

function side(account: string): string {
  return `case when ${account}.kind = 'user' then 'user'
    when ${hasBalance(account)} then ${account}.kind else 'house' end`;
}

const { wrong, any } = breaches({
  'amount above zero': 'entry.amount > 0',
  'from account exists': 'source.id is not null',
  'to account exists': 'target.id is not null',
  'accounts of its marketplace':
    'source.marketplace_id = entry.marketplace_id and target.marketplace_id = entry.marketplace_id',
  'accounts of its currency':
    'source.currency = entry.currency and target.currency = entry.currency',
  'moves something': `not (${IS_WITHIN}) or entry.from_bucket <> entry.to_bucket`,
  'known buckets': `entry.from_bucket in ${KNOWN_BUCKETS} and entry.to_bucket in ${KNOWN_BUCKETS}`,
  'marketplace account has only available': `(${hasBalance('source')} or entry.from_bucket = 'available')
      and (${hasBalance('target')} or entry.to_bucket = 'available')`,
  'no seq or balance on the side of a marketplace account': `(${hasBalance('source')} or num_nonnulls(${FROM_FIGURES}) = 0)
      and (${hasBalance('target')} or num_nonnulls(${TO_FIGURES}) = 0)`,
  'seq and balances on the side of a user or an escrow': `(not ${hasBalance('source')} or num_nulls(${FROM_FIGURES}) = 0)
      and (not ${hasBalance('target')} or ${IS_WITHIN} or num_nulls(${TO_FIGURES}) = 0)`,
  'seq and balances on one side only, within one account': `not (${IS_WITHIN}) or num_nonnulls(${TO_FIGURES}) = 0`,
  'shape of its kind': `kinds.from_side = ${side('source')}
      and kinds.from_bucket = entry.from_bucket and kinds.to_bucket = entry.to_bucket
      and case kinds.to_side when 'self' then ${IS_WITHIN}
        else not (${IS_WITHIN}) and kinds.to_side = ${side('target')} end`,
});

export const entries: Invariant = {
  id: 'I2',
  claim: 'every entry is well-formed',
  check: async (sql) => [
    await find(sql, {
      claim: 'amount, accounts, buckets, figures and shape of every entry are legal',
      of: 'entry',
      broken: `select entry.marketplace_id as marketplace, entry.id as entry, entry.kind,
          ${wrong} as "not"
        from entry
        left join account source on source.id = entry.from_account
        left join account target on target.id = entry.to_account
        left join ${KINDS} on kinds.kind = entry.kind
        where ${any}`,
    }),
    await findRepeats(sql, 'entry', ['marketplace_id', 'id']),
  ],
};
