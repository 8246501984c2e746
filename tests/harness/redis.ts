//! A separate Redis that tests can flush and kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { adopt } from '../../apps/cli/src/children.ts';
import { freePorts } from '../../apps/cli/src/local-restate.ts';
import { within } from './wait.ts';

export interface OwnRedis {
  readonly url: string;
  flush(): Promise<void>;
  /** Kills it with SIGKILL, without a shutdown. */
  kill(): Promise<void>;
  /** Starts it again at the same address, empty. */
  restart(): Promise<void>;
}

const START_MS_MAX = 5_000;

export async function startRedis(): Promise<OwnRedis> {
  const [port] = (await freePorts(1)) as [number];
  let server = await startServer(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    flush: async () => {
      const reply = await command(port, 'FLUSHALL');
      if (reply !== '+OK') throw new Error(`FLUSHALL returned ${reply}`);
    },
    kill: async () => {
      const gone = once(server, 'exit');
      if (server.kill('SIGKILL')) await gone;
    },
    restart: async () => {
      server = await startServer(port);
    },
  };
}

async function startServer(port: number): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  const server = adopt(spawn('redis-server', options, { stdio: 'ignore' }));
  server.on('error', () => undefined);
  const isThere = async () => (await command(port, 'PING')) === '+PONG';
  if (await within(START_MS_MAX, isThere)) return server;
  throw new Error('redis-server did not start: is it installed?');
}

/** Sends one command; returns the first line of the reply, or undefined if there is none. */
function command(port: number, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().split('\r\n')[0]);
    });
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
  });
}
