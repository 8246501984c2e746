//! Checks for conditions that would make a start fail, before anything is started.
import { createServer } from 'node:net';
import { CommandFault } from '../command-fault.ts';
import { readDevState } from './state-file.ts';

export async function checkPort(port: number, folder: string): Promise<void> {
  if (port === 0) return;
  const trouble = await tryPort(port);
  if (trouble === undefined) return;
  if (trouble === 'EACCES') {
    throw new CommandFault(`port ${port} requires administrator rights`, {
      exit: 'usage',
      code: 'PORT_DENIED',
      fix: 'choose another port with --port, or any free port with --port 0',
    });
  }
  const own = readDevState(folder);
  const isOwn = own !== undefined && new URL(own.api).port === String(port);
  throw new CommandFault(
    `port ${port} is already in use${isOwn ? ` by \`holdfast dev\` in this folder (process ${own.pid})` : ''}`,
    {
      exit: 'usage',
      code: 'PORT_TAKEN',
      fix: isOwn
        ? 'use that server, or stop it first'
        : 'stop the program on that port, or use any free port: holdfast dev --port 0',
    },
  );
}

/** Refuses a second set on the same kept state: each would assume that it is alone. */
export function checkAlone(folder: string): void {
  const running = readDevState(folder);
  if (running === undefined) return;
  throw new CommandFault(`\`holdfast dev\` is already running in this folder, at ${running.api}`, {
    exit: 'usage',
    code: 'ALREADY_RUNNING',
    fix: `stop it first (process ${running.pid}), or start without --keep`,
  });
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
