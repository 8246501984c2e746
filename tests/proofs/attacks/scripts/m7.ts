//! M7: guesses of an operator's password leave no record of who made them, or flood the audit log.
import { within } from '../../../harness/wait.ts';
import { type Attack, audited } from '../attack.ts';
import { BROWSER } from '../world.ts';

const TRIES = 300;
const ADDRESSES = 100;
/** The rows of a minute are written when it is over. */
const WRITTEN_MS_MAX = 75_000;
/** The tries may fall into two minutes. */
const ROWS_MAX = 120;

export const attack: Attack = {
  id: 'M7',
  title: "guess an operator's password from a hundred addresses, unseen",
  evidence: audited('SIGN_IN_REFUSED'),
  run: async ({ request, operator, monitor }) => {
    const { email } = operator('viewer');
    const since = new Date();
    for (let at = 0; at < TRIES; at += 1) {
      const from = `127.0.7.${1 + (at % ADDRESSES)}`;
      const body = { email, password: `guess number ${at}`, totp: '000000' };
      const guess = { body, from, headers: BROWSER };
      const { status, code } = await request('/operators/sign-in', guess);
      if (status < 400) return 'a guess was right';
      if (code !== 'SIGN_IN_REFUSED' && code !== 'RATE_LIMITED')
        throw new Error(`a guess was refused with ${code}`);
    }
    const counted = async () => {
      const { rows } = await monitor.query<{ rows: number; addresses: number }>(
        `select count(*)::int as rows, count(distinct address)::int as addresses from audit
         where marketplace_id = 0 and action = 'SIGN_IN_REFUSED' and occurred_at >= $1`,
        [since],
      );
      return rows[0] ?? { rows: 0, addresses: 0 };
    };
    const isWritten = async () => (await counted()).rows > 0;
    if (!(await within(WRITTEN_MS_MAX, isWritten, 500))) return 'no record of the guesses';
    const { rows, addresses } = await counted();
    if (addresses === 0) return 'records without an address';
    return rows > ROWS_MAX ? `${rows} records` : undefined;
  },
};
