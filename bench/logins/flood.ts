//! Sends failing logins at a fixed rate until the bench ends it, and counts the statuses.
import { Agent, request } from 'node:http';
import { serve } from '../harness/helper.ts';

interface Flood {
  readonly api: string;
  /** Logins a second. */
  readonly rate: number;
  readonly accounts: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });
const counts = new Map<number, number>();
const TICK_MS = 10;
/** More than this would only wait in our own agent. */
const OPEN_MAX = 2000;
let open = 0;
let sent = 0;
let timer: NodeJS.Timeout | undefined;

function start({ api, rate, accounts }: Flood): void {
  const { hostname, port } = new URL(api);
  timer = setInterval(() => {
    for (let each = 0; each < (rate * TICK_MS) / 1000; each += 1) tryOne(hostname, port, accounts);
  }, TICK_MS);
}

function tryOne(hostname: string, port: string, accounts: number): void {
  if (open >= OPEN_MAX) return;
  open += 1;
  sent += 1;
  const email = `unknown-${sent % accounts}@example.test`;
  const body = JSON.stringify({ email, password: 'wrong password' });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const outgoing = request(
    { hostname, port, agent, method: 'POST', path: '/auth/login', headers },
    (response) => {
      response.resume();
      response.once('end', () => record(response.statusCode ?? 0));
    },
  );
  outgoing.once('error', () => record(0));
  outgoing.end(body);
}

function record(status: number): void {
  open -= 1;
  counts.set(status, (counts.get(status) ?? 0) + 1);
}

/** The number of responses by status. */
function end(): [status: number, times: number][] {
  clearInterval(timer);
  return [...counts];
}

export const skills = { start, end };
serve(skills);
