//! Does Redis answer, where one is configured?
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Check, faulty, fine, reasonOf } from './check.ts';
import { partHealth } from './part-health.ts';

const ANSWER_MS_MAX = 2000;

const CURE = 'start it, or take REDIS_URL away; until then events come half a second late';
const PART = {
  name: 'redis',
  called: 'Redis',
  setting: 'REDIS_URL',
  fault: 'redis-down',
  cure: CURE,
} as const;

export const checkRedis: Check = {
  name: 'redis',
  needsServer: false,
  async look({ settings, url: server }) {
    const { REDIS_URL: url } = settings;
    if (!url) return partHealth(server, PART);
    const { host } = new URL(url);
    try {
      const answer = await ping(new URL(url));
      if (answer === '+PONG') return fine(`${host} answers`);
      throw new Error(answer);
    } catch (error) {
      return faulty('redis-down', `Redis at ${host} does not answer: ${reasonOf(error)}`, CURE);
    }
  },
};

/** The last line of the answer to PING, after a password where the URL has one. */
function ping({ protocol, hostname, port, username, password }: URL): Promise<string> {
  const login = [username || 'default', password].map(decodeURIComponent).join(' ');
  const commands = password === '' ? ['PING'] : [`AUTH ${login}`, 'PING'];
  const place = { host: hostname, port: Number(port || 6379) };
  return new Promise((resolve, reject) => {
    const socket: Socket = protocol === 'rediss:' ? connectTls(place) : connectTcp(place);
    let text = '';
    const end = (settle: () => void) => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(ANSWER_MS_MAX, () => end(() => reject(new Error('no answer in time'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('close', () => reject(new Error('it closed the connection')));
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
