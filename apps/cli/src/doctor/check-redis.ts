//! Checks that Redis responds, where one is configured.
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Check, faulty, fine, reasonOf } from './check.ts';
import { componentHealth } from './component-health.ts';

const RESPONSE_TIMEOUT_MS = 2000;

const FIX = 'start Redis, or unset REDIS_URL; until then events arrive up to half a second late';
const COMPONENT = {
  name: 'redis',
  called: 'Redis',
  setting: 'REDIS_URL',
  fault: 'redis-down',
  fix: FIX,
} as const;

export const checkRedis: Check = {
  name: 'redis',
  needsServer: false,
  async run({ settings, url: server }) {
    const { REDIS_URL: url } = settings;
    if (!url) return componentHealth(server, COMPONENT);
    const host = url.startsWith('/') ? url : new URL(url).host;
    try {
      const reply = await ping(url);
      if (reply === '+PONG') return fine(`${host} responds`);
      throw new Error(reply);
    } catch (error) {
      return faulty('redis-down', `Redis at ${host} does not respond: ${reasonOf(error)}`, FIX);
    }
  },
};

/** The last line of the reply to PING, after a password where the URL has one. */
function ping(url: string): Promise<string> {
  const isSocket = url.startsWith('/');
  const { protocol, hostname, port, username, password } = new URL(isSocket ? 'redis://' : url);
  const login = [username || 'default', password].map(decodeURIComponent).join(' ');
  const commands = password === '' ? ['PING'] : [`AUTH ${login}`, 'PING'];
  const address = isSocket ? { path: url } : { host: hostname, port: Number(port || 6379) };
  return new Promise((resolve, reject) => {
    const socket: Socket = protocol === 'rediss:' ? connectTls(address) : connectTcp(address);
    let text = '';
    const end = (settle: () => void) => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => end(() => reject(new Error('timed out'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('close', () => reject(new Error('connection closed')));
    socket.write(commands.map((command) => `${command}\r\n`).join(''));
    socket.on('data', (data) => {
      text += data.toString();
      const lines = text.split('\r\n').slice(0, -1);
      const refusal = lines.find((line) => line.startsWith('-'));
      if (refusal !== undefined) end(() => reject(new Error(refusal.slice(1))));
      else if (lines.length === commands.length) end(() => resolve(lines.at(-1) ?? ''));
    });
  });
}
