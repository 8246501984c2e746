//! An address whose connections lead to a server that can be switched or cut off: as a load
//! balancer leads to the primary, or a network between two machines.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** Where later connections lead; the present ones are cut. */
  switchTo(port: number): void;
  /** Cuts every connection, and refuses others. */
  cut(): void;
  close(): void;
}

export async function openRelay(first: number): Promise<Relay> {
  let target: number | undefined = first;
  const sockets = new Set<Socket>();
  const drop = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server = createServer((socket) => {
    if (target === undefined) return socket.destroy();
    const other = connect(target, '127.0.0.1');
    for (const [one, its] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        its.destroy();
      });
      one.pipe(its);
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    switchTo: (port) => {
      target = port;
      drop();
    },
    cut: () => {
      target = undefined;
      drop();
    },
    close: () => {
      drop();
      server.close();
    },
  };
}
