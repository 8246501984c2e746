//! Members of Surface B: each pair funds a project and releases it under disruptions. A member who
//! loses a response reads the project, as a reloaded page would.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiResponse,
  callAt,
  callWithRetry,
  dataOf,
  isGood,
  poster,
  responseText,
} from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { createMarketplace } from '../../harness/people.ts';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import { print } from '../../harness/report.ts';
import type { Environment } from './environment.ts';
import { count, type Notebook } from './notebook.ts';
import type { ChaosOptions } from './options.ts';
import { type Lived, underDisruptions } from './run-lives.ts';

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
const RANDOM_STREAM = 900_000;

export async function runMembers(
  environment: Environment,
  options: ChaosOptions,
  notebook: Notebook,
): Promise<{ readonly lived: Lived; check(): Promise<string[]> }> {
  const numbers = Array.from({ length: options.members }, (_, at) => at);
  const { ready } = environment.set;
  const marketplaceId = ready.surfaceBMarketplaceId;
  const { key } = await createMarketplace(ready, 'Members', { marketplaceId });
  const pairs = await inLanes(numbers, REGISTERING, (at) => openPair(environment, key, at));
  const wrong: string[] = [];
  const work = async (pair: Pair, at: number) => {
    const random = randomOf(options.seed, RANDOM_STREAM + at);
    await fundAndRelease(environment, notebook, random, pair).catch((error: Error) =>
      wrong.push(error.message),
    );
  };
  const lived = await underDisruptions(environment, options, {
    ...{ marketplaceIds: [marketplaceId], notebook, things: pairs, work },
  });
  print(`${options.members} pairs of members done in ${lived.seconds.toFixed(0)} s`);
  const checkAll = async () => {
    const found = await inLanes(pairs, REGISTERING, (pair) => wrongPair(environment, pair));
    return [...wrong, ...found.flat()];
  };
  return { lived, check: checkAll };
}

/** One escrow, however often it is requested: the project's status decides the next call. */
async function fundAndRelease(
  environment: Environment,
  notebook: Notebook,
  random: SeededRandom,
  { buyer, seller }: Pair,
): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    if (performance.now() > giveUpAt) throw new Error(`a project of ${buyer.id} is stuck`);
    const project = await fetchProject(environment, random, buyer);
    if (project?.status === 'completed') return;
    const [path, body] = nextOf(project, seller);
    const response = await call(environment, random, buyer.token, path, body);
    const { status } = response;
    // Errors of Surface B have no code, so a stop is one of several reasons for a 503.
    if (status === undefined) notebook.lost += 1;
    else if (!isGood(response)) count(notebook.refusals, responseText(response));
    // Refused because it is done or in flight: the next read shows it. Anything else is a fault.
    if (status !== undefined && ![200, 400, 500, 503, 504].includes(status))
      throw new Error(`${path} of ${buyer.id} returned ${status}`);
    await sleep(WAIT_MS + random.below(WAIT_MS));
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

/** The oldest: a lost response to its creation may have left another, which stays open. */
async function fetchProject(
  environment: Environment,
  random: SeededRandom,
  { token }: Member,
): Promise<Project | undefined> {
  for (;;) {
    const { status, data } = await call(environment, random, token, '/projects?limit=100');
    if (status === 200) return (data as { projects: Project[] }).projects.at(-1);
    await sleep(WAIT_MS);
  }
}

async function wrongPair(environment: Environment, { buyer, seller }: Pair): Promise<string[]> {
  const random = randomOf(1, 1);
  const expected = new Map([
    [buyer, 0],
    [seller, 95],
  ]);
  const wrong: string[] = [];
  for (const [{ id, token }, available] of expected) {
    const { data } = await call(environment, random, token, '/balances');
    const { balances } = data as {
      balances: { currency: string; available: number; held: number }[];
    };
    const usd = balances.find(({ currency }) => currency === 'USD');
    if (usd?.available !== available || usd.held !== 0)
      wrong.push(`member ${id} has ${JSON.stringify(usd)}, and must have ${available}`);
  }
  return wrong;
}

async function openPair({ set }: Environment, key: string, at: number): Promise<Pair> {
  const { api } = set.ready;
  const register = async (role: string): Promise<Member> => {
    const body = { email: `${role}-${at}@example.test`, password: PASSWORD, name: role };
    const registered = () => callAt(`${api}/auth/register`, '', { body });
    const response = await callWithRetry('/auth/register', REGISTERED, registered);
    const { id, token } = dataOf('/auth/register', response);
    return { id: String(id), token: String(token) };
  };
  const [buyer, seller] = [await register('buyer'), await register('seller')];
  const credit = { amount: FIRST_MONEY, reference: `first-${at}` };
  await poster({ api, apiKey: key })(`/users/${buyer.id}/balance/credit`, credit);
  return { buyer, seller };
}

function call(
  { urls }: Environment,
  random: SeededRandom,
  token: string,
  path: string,
  body?: object,
): Promise<ApiResponse> {
  return callAt(`${random.oneOf(urls)}${path}`, token, { body });
}
