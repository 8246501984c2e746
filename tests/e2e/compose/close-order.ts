//! An order from its creation to its release, over HTTP through the edge, by a client that does
//! what the guides say: it repeats no call whose outcome is unknown, but waits for the state.
import { Holdfast, HoldfastError, type Order } from '@holdfast/sdk';
import { createOrder } from '../../../apps/cli/src/scenarios/order-steps.ts';
import { openSandbox } from '../../../apps/cli/src/scenarios/sandbox.ts';
import { print, secondsSince } from '../../harness/report.ts';
import type { Project } from './project.ts';

const UNKNOWN: ReadonlySet<string> = new Set([
  'PROVIDER_TIMEOUT',
  'CONNECTION_FAILED',
  'TIMED_OUT',
]);
const TRIES_MAX = 8;
const WAIT_MS_MAX = 60_000;

type Step = readonly [take: (orders: Holdfast['orders'], id: string) => Promise<Order>, State];
type State = Parameters<Holdfast['orders']['waitFor']>[1];

const STEPS: readonly Step[] = [
  [(orders, id) => orders.reserve(id), 'FUNDS_RESERVED'],
  [(orders, id) => orders.createEscrow(id), 'ESCROW_FUNDING'],
  [(orders, id) => orders.fundEscrow(id), 'IN_PROGRESS'],
  [(orders, id) => orders.release(id), 'CLOSED'],
];

/** Returns what was wrong. */
export async function closeOrder(
  project: Project,
  apiKey: string,
  what: string,
): Promise<string[]> {
  const startedAt = performance.now();
  const baseUrl = `http://${project.addressOf('edge')}:8080`;
  const holdfast = new Holdfast({ baseUrl, apiKey, maxRetries: TRIES_MAX });
  const sandbox = openSandbox(`http://${project.addressOf('sandbox')}:4500`);
  try {
    const context = { holdfast, sandbox, people: new Map(), amount: '120.00', report: () => {} };
    const { id } = await createOrder(context, { title: 'A table' });
    let unknown = 0;
    for (const [take, state] of STEPS) {
      await take(holdfast.orders, id).catch((error: unknown) => {
        if (!(error instanceof HoldfastError && UNKNOWN.has(error.code))) throw error;
        unknown += 1;
      });
      await holdfast.orders.waitFor(id, state, { timeoutMs: WAIT_MS_MAX });
    }
    const lost = unknown === 0 ? '' : `, ${unknown} responses lost`;
    print(`${what}: closed after ${secondsSince(startedAt)}${lost}`);
    return [];
  } catch (error) {
    return [`${what}: ${String(error)}`];
  }
}
