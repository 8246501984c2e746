//! I11: events stand in one order per marketplace, without gap.
import { EVENT_LOG, POSITION } from '../events.ts';
import { find, type Invariant, skip } from '../invariant.ts';

const CLAIM = 'positions of a marketplace run without gap or repeat';

export const positions: Invariant = {
  id: 'I11',
  claim: 'events stand in one order per marketplace, without gap',
  async check(sql) {
    if (!(await sql.has(EVENT_LOG))) {
      return [skip(CLAIM, `not checked: there is no table ${EVENT_LOG} yet`)];
    }
    // The first position is free: what is older than the retention may be gone.
    const finding = await find(sql, {
      claim: CLAIM,
      of: EVENT_LOG,
      broken: `select marketplace_id as marketplace, ${POSITION}, before
        from (select marketplace_id, ${POSITION}, lag(${POSITION}) over
          (partition by marketplace_id order by ${POSITION}) as before from ${EVENT_LOG}) places
        where ${POSITION} <> before + 1 or ${POSITION} is null or ${POSITION} < 1`,
    });
    return [finding];
  },
};
