//! What would make a start fail, said before anything is started, with its cure.
import { createServer } from 'node:net';
import { CommandFault } from '../command-fault.ts';
import { readDevState } from './state-file.ts';

export async function checkPort(port: number, folder: string): Promise<void> {
  if (port === 0) return;
  const trouble = await tryPort(port);
  if (trouble === undefined) return;
  if (trouble === 'EACCES') {
    throw new CommandFault(`port ${port} is reserved for the administrator`, {
      exit: 'usage',
      code: 'PORT_DENIED',
      cure: 'take another with --port, or any free one with --port 0',
    });
  }
  const own = readDevState(folder);
  const isOwn = own !== undefined && new URL(own.api).port === String(port);
  throw new CommandFault(
    `port ${port} is taken${isOwn ? ` by the holdfast dev that runs in this folder (process ${own.pid})` : ''}`,
    {
      exit: 'usage',
      code: 'PORT_TAKEN',
      cure: isOwn
        ? 'use that one, or end it first'
        : 'end what listens there, or take another: holdfast dev --port 0',
    },
  );
}

/** Two sets on one kept state would each think that they are alone with it. */
export function checkAlone(folder: string): void {
  const running = readDevState(folder);
  if (running === undefined) return;
  throw new CommandFault(`holdfast dev runs in this folder already, at ${running.api}`, {
    exit: 'usage',
    code: 'ALREADY_RUNNING',
    cure: `end it first (process ${running.pid}), or start without --keep`,
  });
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
