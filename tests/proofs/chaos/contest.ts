//! Several callers settle one order at once: finds the winner, and checks every response.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, isGood, isTransient, responseText } from '../../harness/api.ts';
import { dispute, refund, release } from './actions.ts';
import { isInDoubt } from './client.ts';
import { fetchOrder, type Life, walk } from './life.ts';
import { isInFlight, type SeenOrder } from './order.ts';

const CONTENDERS = { release, refund, dispute };
export type Contender = keyof typeof CONTENDERS;

export interface Contest {
  readonly responses: Readonly<Record<Contender, ApiResponse>>;
  /** The order when nothing is in flight. */
  readonly order: SeenOrder;
  readonly wrong: readonly string[];
}

const HEAD_START_MS = 12;

export async function contest(life: Life, from: SeenOrder): Promise<Contest> {
  const { client, plan } = life;
  const names = plan.random.shuffled(Object.keys(CONTENDERS) as Contender[]);
  const results = await Promise.all(
    names.map(async (name) => {
      await sleep(plan.random.below(HEAD_START_MS));
      return [name, await client.call(CONTENDERS[name](from))] as const;
    }),
  );
  const responses = Object.fromEntries(results) as Record<Contender, ApiResponse>;
  // A request without a response may still arrive, before the client's next request.
  if (results.some(([, response]) => isInDoubt(response))) life.doubts.add('release');
  const seen = await fetchOrder(life, from.id);
  const order = await walk(life, seen, (each) => (isInFlight(each) ? 'wait' : 'end'));
  return { responses, order, wrong: checkContest(responses, order) };
}

/** The request that decided the order; undefined while the order is in progress. */
export function winnerOf({ status, closeReason }: SeenOrder): Contender | undefined {
  if (status === 'DISPUTED') return 'dispute';
  if (closeReason === 'RELEASED') return 'release';
  return closeReason === 'REFUNDED' ? 'refund' : undefined;
}

const REFUSALS: readonly string[] = ['400 INVALID_STATE', '409 DISPUTE_ALREADY_OPEN'];

export function checkContest(
  responses: Readonly<Record<Contender, ApiResponse>>,
  order: SeenOrder,
): string[] {
  const rows = Object.entries(responses) as [Contender, ApiResponse][];
  const winner = winnerOf(order);
  const wrong: string[] = [];
  const isOpen = rows.some(([, response]) => isTransient(response));
  if (winner === undefined && (order.status !== 'IN_PROGRESS' || !isOpen))
    wrong.push(`no request won, and the order is ${order.status}`);
  for (const [name, response] of rows) {
    const isFair = isGood(response)
      ? name === winner
      : isTransient(response)
        ? name !== winner || isInDoubt(response)
        : name !== winner && REFUSALS.includes(responseText(response));
    // A provider's refusal names its operation, and another request may still win.
    const isProvidersNo =
      !isGood(response) && response.operationId !== undefined && name !== winner;
    if (!isFair && !isProvidersNo)
      wrong.push(`${name} returned ${responseText(response)}, and ${winner ?? 'none'} won`);
  }
  return wrong.map((text) => `race for ${order.id}: ${text}`);
}
