//! Members of Surface B: each pair funds a project and releases it while everything fails. Who
//! loses an answer looks at the project, as a page would that was loaded again.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, askAt, dataOf, insist, poster } from '../harness/api.ts';
import { type Chance, chanceOf } from '../harness/chance.ts';
import { inLanes } from '../harness/lanes.ts';
import { makeMarketplace } from '../harness/people.ts';
import { say } from '../harness/report.ts';
import type { ChaosOptions } from './options.ts';
import { underStrikes } from './run-lives.ts';
import type { Stage } from './stage.ts';

interface Member {
  readonly id: string;
  readonly token: string;
}

interface Pair {
  readonly buyer: Member;
  readonly seller: Member;
}

interface Project {
  readonly id: string;
  readonly status: string;
  readonly escrow_id: string | null;
}

const FIRST_MONEY = '100.00';
const PATIENCE_MS = 900_000;
const WAIT_MS = 250;
const REGISTERING = 8;
const REGISTERED = { msMax: 60_000, pauseMs: () => WAIT_MS };
const PASSWORD = 'correct horse battery';
const LUCK = 900_000;

export async function runMembers(
  stage: Stage,
  options: ChaosOptions,
): Promise<{ judge(): Promise<string[]> }> {
  const numbers = Array.from({ length: options.members }, (_, at) => at);
  const { ready } = stage.set;
  const { key } = await makeMarketplace(ready, 'Members', {
    marketplaceId: ready.surfaceBMarketplaceId,
  });
  const pairs = await inLanes(numbers, REGISTERING, (at) => openPair(stage, key, at));
  const wrong: string[] = [];
  const lived = await underStrikes(stage, options, pairs, async (pair, at) => {
    const chance = chanceOf(options.seed, LUCK + at);
    await fundAndRelease(stage, chance, pair).catch((error: Error) => wrong.push(error.message));
  });
  say(`${options.members} pairs of members lived in ${lived.seconds.toFixed(0)} s`);
  const judgeAll = async () => {
    const found = await inLanes(pairs, REGISTERING, (pair) => wrongPair(stage, pair));
    return [...wrong, ...found.flat()];
  };
  return { judge: judgeAll };
}

/** One escrow, however often it is asked for: what the project says decides what comes next. */
async function fundAndRelease(
  stage: Stage,
  chance: Chance,
  { buyer, seller }: Pair,
): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    if (performance.now() > giveUpAt) throw new Error(`a project of ${buyer.id} is stuck`);
    const project = await lookAt(stage, chance, buyer);
    if (project?.status === 'completed') return;
    const [path, body] = nextOf(project, seller);
    const { status } = await ask(stage, chance, buyer.token, path, body);
    // Refused because it is done, or under way: the next look tells. Anything else is a fault.
    if (status !== undefined && ![200, 400, 500, 503, 504].includes(status))
      throw new Error(`${path} of ${buyer.id} was answered ${status}`);
    await sleep(WAIT_MS + chance.below(WAIT_MS));
  }
}

function nextOf(project: Project | undefined, seller: Member): [string, object] {
  if (project === undefined)
    return ['/projects', { title: 'A shed', budget: 100, currency: 'USD' }];
  if (project.status === 'in_progress' && project.escrow_id !== null)
    return ['/escrow/release', { escrow_id: project.escrow_id }];
  const terms = { project_id: project.id, seller_id: seller.id, amount: 100, currency: 'USD' };
  return ['/escrow/init', terms];
}

/** The oldest: a lost answer to its creation may have left another, which stays open. */
async function lookAt(
  stage: Stage,
  chance: Chance,
  { token }: Member,
): Promise<Project | undefined> {
  for (;;) {
    const { status, data } = await ask(stage, chance, token, '/projects?limit=100');
    if (status === 200) return (data as { projects: Project[] }).projects.at(-1);
    await sleep(WAIT_MS);
  }
}

async function wrongPair(stage: Stage, { buyer, seller }: Pair): Promise<string[]> {
  const chance = chanceOf(1, 1);
  const meant = new Map([
    [buyer, 0],
    [seller, 95],
  ]);
  const wrong: string[] = [];
  for (const [{ id, token }, available] of meant) {
    const { data } = await ask(stage, chance, token, '/balances');
    const { balances } = data as {
      balances: { currency: string; available: number; held: number }[];
    };
    const usd = balances.find(({ currency }) => currency === 'USD');
    if (usd?.available !== available || usd.held !== 0)
      wrong.push(`member ${id} has ${JSON.stringify(usd)}, and must have ${available}`);
  }
  return wrong;
}

async function openPair({ set }: Stage, key: string, at: number): Promise<Pair> {
  const { api } = set.ready;
  const register = async (role: string): Promise<Member> => {
    const body = { email: `${role}-${at}@example.test`, password: PASSWORD, name: role };
    const registered = () => askAt(`${api}/auth/register`, '', { body });
    const answer = await insist('/auth/register', REGISTERED, registered);
    const { id, token } = dataOf('/auth/register', answer);
    return { id: String(id), token: String(token) };
  };
  const [buyer, seller] = [await register('buyer'), await register('seller')];
  const credit = { amount: FIRST_MONEY, reference: `first-${at}` };
  await poster({ api, apiKey: key })(`/users/${buyer.id}/balance/credit`, credit);
  return { buyer, seller };
}

function ask(
  { urls }: Stage,
  chance: Chance,
  token: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return askAt(`${chance.oneOf(urls)}${path}`, token, { body });
}
