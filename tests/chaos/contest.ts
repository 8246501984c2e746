//! Several callers settle one order at once: who won, and whether the others were told so rightly.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, answerText, isGood, isPassing } from '../harness/api.ts';
import { isInDoubt } from './client.ts';
import { dispute, refund, release } from './deeds.ts';
import { type Life, look, walk } from './life.ts';
import { isInFlight, type SeenOrder } from './order.ts';

const CONTENDERS = { release, refund, dispute };
export type Contender = keyof typeof CONTENDERS;

export interface Contest {
  readonly answers: Readonly<Record<Contender, Answer>>;
  /** Where it stands when nothing moves any more. */
  readonly order: SeenOrder;
  readonly wrong: readonly string[];
}

const HEAD_START_MS = 12;

export async function contest(life: Life, from: SeenOrder): Promise<Contest> {
  const { client, plan } = life;
  const names = plan.chance.shuffled(Object.keys(CONTENDERS) as Contender[]);
  const asked = await Promise.all(
    names.map(async (name) => {
      await sleep(plan.chance.below(HEAD_START_MS));
      return [name, await client.ask(CONTENDERS[name](from))] as const;
    }),
  );
  const answers = Object.fromEntries(asked) as Record<Contender, Answer>;
  // One that was not heard may still come, before whoever asks next.
  if (asked.some(([, answer]) => isInDoubt(answer))) life.doubts.add('release');
  const seen = await look(life, from.id);
  const order = await walk(life, seen, (each) => (isInFlight(each) ? 'wait' : 'end'));
  return { answers, order, wrong: judgeContest(answers, order) };
}

/** The way in which the order went; undefined when it is still at work. */
export function winnerOf({ status, closeReason }: SeenOrder): Contender | undefined {
  if (status === 'DISPUTED') return 'dispute';
  if (closeReason === 'RELEASED') return 'release';
  return closeReason === 'REFUNDED' ? 'refund' : undefined;
}

const REFUSALS: readonly string[] = ['400 INVALID_STATE', '409 DISPUTE_ALREADY_OPEN'];

export function judgeContest(
  answers: Readonly<Record<Contender, Answer>>,
  order: SeenOrder,
): string[] {
  const rows = Object.entries(answers) as [Contender, Answer][];
  const winner = winnerOf(order);
  const wrong: string[] = [];
  const isOpen = rows.some(([, answer]) => isPassing(answer));
  if (winner === undefined && (order.status !== 'IN_PROGRESS' || !isOpen))
    wrong.push(`nobody won, and it is ${order.status}`);
  for (const [name, answer] of rows) {
    const isFair = isGood(answer)
      ? name === winner
      : isPassing(answer)
        ? name !== winner || isInDoubt(answer)
        : name !== winner && REFUSALS.includes(answerText(answer));
    // A provider's refusal names its operation, and leaves the way free for another.
    const isProvidersNo = !isGood(answer) && answer.operationId !== undefined && name !== winner;
    if (!isFair && !isProvidersNo)
      wrong.push(`${name} was answered ${answerText(answer)}, and ${winner ?? 'nobody'} won`);
  }
  return wrong.map((text) => `race for ${order.id}: ${text}`);
}
