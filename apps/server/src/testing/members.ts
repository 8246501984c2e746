//! People on Surface B: registered, given money, with projects, over the wire.
import { randomUUID } from 'node:crypto';
import { type MarketplaceId, newId, type ProjectId, type UserId } from '@holdfast/kernel/ids';
import { creditBalance } from '../books/credit-balance.ts';
import { type EscrowWorld, openEscrowWorld } from './escrows.ts';
import { type Answer, type Market, openWorld, type World } from './world.ts';

export const MEMBER_SECRET = 'a secret for members that is long enough';
export const PASSWORD = 'correct horse battery';

/** What people can do on Surface B, over the wire. */
export interface MemberStage {
  /** A key of the marketplace that members belong to. */
  readonly house: Market;
  /** As the wire sees it, below no prefix. */
  ask(method: 'GET' | 'POST', path: string, sending?: Asking): Promise<Answer>;
  person(credit?: string): Promise<Person>;
}

interface Asking {
  readonly token?: string;
  readonly body?: unknown;
}

export interface MemberWorld extends EscrowWorld, MemberStage {}

export interface Person {
  readonly id: UserId;
  readonly email: string;
  readonly token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  project(): Promise<ProjectId>;
}

/** With the sandbox outside, and sagas driven in place. */
export async function openMemberWorld(env: Record<string, string> = {}): Promise<MemberWorld> {
  const world = await openEscrowWorld(memberSettings(env));
  return { ...world, ...(await openStage(world, () => world.runWorker())) };
}

/** Without anything outside: for what needs no wallet. */
export async function openPlainMemberWorld(
  env: Record<string, string> = {},
): Promise<World & MemberStage> {
  const world = await openWorld({ env: memberSettings(env) });
  return { ...world, ...(await openStage(world, async () => undefined)) };
}

const memberSettings = (env: Record<string, string>) => ({
  HOLDFAST_SURFACE_B_MARKETPLACE: newId('mkt'),
  HOLDFAST_MEMBER_TOKEN_SECRET: MEMBER_SECRET,
  HOLDFAST_LOGIN_ATTEMPTS: '100000',
  ...env,
});

async function openStage(world: World, settle: () => Promise<void>): Promise<MemberStage> {
  const marketplaceId = world.app.config.HOLDFAST_SURFACE_B_MARKETPLACE as MarketplaceId;
  const house = await world.market({ marketplaceId });
  const ask: MemberStage['ask'] = async (method, url, { token, body } = {}) => {
    const answer = await world.http.inject({
      method,
      url,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: textOf(body) }),
    });
    const { statusCode: status, headers, payload: text } = answer;
    return { status, headers, text, json: JSON.parse(text) };
  };
  const person = async (credit?: string): Promise<Person> => {
    const email = `${randomUUID()}@example.test`;
    const body = { email, password: PASSWORD, name: 'Ada' };
    const made = await ask('POST', '/auth/register', { body });
    if (made.status !== 200) throw new Error(made.text);
    const { id, token } = made.json.data as { id: UserId; token: string };
    if (credit !== undefined) await creditBalance(world.app, house.call, id, { amount: credit });
    await settle();
    return personWith(ask, { id, email, token });
  };
  return { house, ask, person };
}

function personWith(ask: MemberStage['ask'], who: Pick<Person, 'id' | 'email' | 'token'>): Person {
  const { token } = who;
  const post = (path: string, body: unknown = {}) => ask('POST', path, { token, body });
  return {
    ...who,
    post,
    get: (path) => ask('GET', path, { token }),
    project: async () => {
      const project = { title: 'A shed', description: 'Wood', budget: 100, currency: 'USD' };
      return (await post('/projects', project)).json.data.id as ProjectId;
    },
  };
}

/** A text is sent as it is: there are numbers that JavaScript can't write. */
function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
