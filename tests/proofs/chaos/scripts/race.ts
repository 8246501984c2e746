//! Release, refund and dispute at once: one of them wins, and the order continues to its end.

import { completeThen, decide, release, road } from '../actions.ts';
import { contest } from '../contest.ts';
import { complain, create, expectEnd, type Life, walk } from '../life.ts';
import { splitOf } from './straight.ts';

export async function race(life: Life): Promise<void> {
  const created = await create(life);
  const atWork = await walk(life, created, road({ atWork: completeThen(() => 'end') }));
  const { order, wrong } = await contest(life, atWork);
  for (const each of wrong) complain(life, each);
  const { random } = life.plan;
  const decision = random.oneOf([
    { decision: 'FULL_RELEASE' },
    { decision: 'FULL_REFUND' },
    splitOf(life.plan),
  ]);
  // Where no request won, the client releases.
  const next = road({ atWork: completeThen(release), disputed: decide(decision) });
  const ended = await walk(life, order, next);
  expectEnd(life, ended, ended.closeReason ?? 'anything');
}
