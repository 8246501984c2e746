//! Tries to sign in as an operator and to log in as members, all at once and each from an address
//! of its own, and counts the statuses.
import { Agent, request } from 'node:http';
import { serve } from '../harness/helper.ts';

interface Rush {
  readonly api: string;
  /** The operator whose account the outsiders try. */
  readonly email: string;
  readonly tries: number;
  readonly logins: number;
}

// Fewer connections than the API server accepts from one peer.
const agent = new Agent({ keepAlive: true, maxSockets: 400 });
let responses: Promise<string>[] = [];

/** Returns when all requests are on their way. */
function start({ api, email, tries, logins }: Rush): void {
  const origin = new URL(api).origin;
  const password = 'wrong password';
  const signIns = Array.from({ length: tries }, (_, at) =>
    send(api, '/api/v1/operators/sign-in', at, { email, password, totp: '000000' }, { origin }),
  );
  const memberLogins = Array.from({ length: logins }, (_, at) =>
    send(api, '/auth/login', tries + at, { email: `member-${at}@example.test`, password }),
  );
  responses = [...memberLogins, ...signIns];
}

function send(api: string, path: string, host: number, body: object, more = {}): Promise<string> {
  const { hostname, port } = new URL(api);
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': text.length,
    'x-forwarded-for': `10.0.${host >> 8}.${host & 255}`,
    ...more,
  };
  return new Promise((resolve) => {
    const outgoing = request(
      { hostname, port, agent, method: 'POST', path, headers },
      (response) => {
        response.resume();
        response.once('end', () => resolve(`${path} ${response.statusCode}`));
      },
    );
    outgoing.once('error', () => resolve(`${path} lost`));
    outgoing.end(text);
  });
}

/** The number of responses by path and status, when all are there. */
async function end(): Promise<[response: string, times: number][]> {
  const counts = new Map<string, number>();
  for (const response of await Promise.all(responses))
    counts.set(response, (counts.get(response) ?? 0) + 1);
  return [...counts];
}

export const skills = { start, end };
serve(skills);
