//! Release, refund and dispute at once: one of them wins, and the order goes its way to the end.
import { contest } from '../contest.ts';
import { completeThen, decide, release, road } from '../deeds.ts';
import { complain, create, expectEnd, type Life, walk } from '../life.ts';
import { splitOf } from './dispute.ts';

export async function race(life: Life): Promise<void> {
  const created = await create(life);
  const atWork = await walk(life, created, road({ atWork: completeThen(() => 'end') }));
  const { order, wrong } = await contest(life, atWork);
  for (const each of wrong) complain(life, each);
  const { chance } = life.plan;
  const decision = chance.oneOf([
    { decision: 'FULL_RELEASE' },
    { decision: 'FULL_REFUND' },
    splitOf(life.plan),
  ]);
  // Where nobody was heard, somebody asks again.
  const next = road({ atWork: completeThen(release), disputed: decide(decision) });
  const ended = await walk(life, order, next);
  expectEnd(life, ended, ended.closeReason ?? 'anything');
}
