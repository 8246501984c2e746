//! The address of the database, as a virtual address or a name in DNS: it leads to one server at a
//! time, and moves after a failover.
import { connect, createServer, type Socket } from 'node:net';
import { freePorts } from '../../../apps/cli/src/local-restate.ts';

export interface DatabaseAddress {
  readonly port: number;
  /** From here on; connections to the former server end. */
  moveTo(port: number): void;
  close(): Promise<void>;
}

export async function openDatabaseAddress(first: number): Promise<DatabaseAddress> {
  const [port] = (await freePorts(1)) as [number];
  const open = new Set<Socket>();
  let target = first;
  const server = createServer((socket) => {
    const other = connect(target, '127.0.0.1');
    for (const [one, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(one);
      one.on('error', () => peer.destroy());
      one.on('close', () => {
        open.delete(one);
        peer.destroy();
      });
      one.pipe(peer);
    }
  });
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    moveTo: (next) => {
      target = next;
      endAll();
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
