//! Members on Surface B: registered, funded, with projects, over the wire.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/clock';
import { type MarketplaceId, newId, type ProjectId, type UserId } from '@holdfast/kernel/ids';
import { creditBalance } from '../accounts/books/credit-balance.ts';
import { wantWallets } from '../accounts/users/wallet.ts';
import { transact } from '../platform/database/transact.ts';
import { type EscrowWorld, openEscrowWorld } from './escrows.ts';
import { type ApiResponse, type Market, openWorld, type World } from './world.ts';

export const MEMBER_SECRET = 'a secret for members that is long enough';
export const PASSWORD = 'correct horse battery';

/** The actions of members on Surface B, over the wire. */
export interface MemberEnvironment {
  /** A key of the marketplace that members belong to. */
  readonly house: Market;
  /** Over the wire, without a path prefix. */
  request(method: 'GET' | 'POST', path: string, sending?: RequestOptions): Promise<ApiResponse>;
  person(credit?: string): Promise<Person>;
}

interface RequestOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MemberWorld extends EscrowWorld, MemberEnvironment {}

export interface Person {
  readonly id: UserId;
  readonly email: string;
  readonly token: string;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown): Promise<ApiResponse>;
  project(): Promise<ProjectId>;
  /** The same person with a new token. */
  loggedIn(): Promise<Person>;
}

/** With the sandbox as its providers, and sagas executed in place. */
export async function openMemberWorld(env: Record<string, string> = {}): Promise<MemberWorld> {
  const world = await openEscrowWorld(memberSettings(env));
  // A wallet would come with the first money: here each person has one from the start.
  const settle = async ({ call }: Market, id: UserId) => {
    await transact(world.app, call, (tx) => wantWallets(tx, [id]));
    await world.runWorker();
  };
  return { ...world, ...(await openEnvironment(world, settle)) };
}

/** Without providers: for tests that need no wallet. */
export async function openPlainMemberWorld(
  env: Record<string, string> = {},
): Promise<World & MemberEnvironment> {
  const world = await openWorld({ env: memberSettings(env) });
  return { ...world, ...(await openEnvironment(world, async () => undefined)) };
}

const memberSettings = (env: Record<string, string>) => ({
  HOLDFAST_SURFACE_B_MARKETPLACE: newId('mkt', systemClock.now()),
  HOLDFAST_MEMBER_TOKEN_SECRET: MEMBER_SECRET,
  HOLDFAST_LOGIN_ATTEMPTS: '100000',
  ...env,
});

async function openEnvironment(
  world: World,
  settle: (house: Market, id: UserId) => Promise<void>,
): Promise<MemberEnvironment> {
  const marketplaceId = world.app.config.HOLDFAST_SURFACE_B_MARKETPLACE as MarketplaceId;
  const house = await world.market({ marketplaceId });
  const request: MemberEnvironment['request'] = async (method, url, sending = {}) => {
    const { token, body } = sending;
    const response = await world.http.inject({
      method,
      url,
      headers: {
        ...sending.headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: textOf(body) }),
    });
    const { statusCode: status, headers, payload: text } = response;
    return { status, headers, text, json: JSON.parse(text) };
  };
  const person = async (credit?: string): Promise<Person> => {
    const email = `${randomUUID()}@example.test`;
    const body = { email, password: PASSWORD, name: 'Ada' };
    const registered = await request('POST', '/auth/register', { body });
    if (registered.status !== 200) throw new Error(registered.text);
    const { id, token } = registered.json.data as { id: UserId; token: string };
    if (credit !== undefined) await creditBalance(world.app, house.call, id, { amount: credit });
    await settle(house, id);
    return personWith(request, { id, email, token });
  };
  return { house, request, person };
}

function personWith(
  request: MemberEnvironment['request'],
  who: Pick<Person, 'id' | 'email' | 'token'>,
): Person {
  const { token } = who;
  const post = (path: string, body: unknown = {}) => request('POST', path, { token, body });
  return {
    ...who,
    post,
    get: (path) => request('GET', path, { token }),
    loggedIn: async () => {
      const body = { email: who.email, password: PASSWORD };
      const { json } = await request('POST', '/auth/login', { body });
      return personWith(request, { ...who, token: json.data.token });
    },
    project: async () => {
      const project = { title: 'A shed', description: 'Wood', budget: 100, currency: 'USD' };
      return (await post('/projects', project)).json.data.id as ProjectId;
    },
  };
}

/** A text is sent unchanged: there are numbers that JavaScript cannot write. */
function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
