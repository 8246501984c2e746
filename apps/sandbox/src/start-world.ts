//! Starts the sandbox and listens: ledger, escrow provider, payments, control.
import { serveControl } from './control/control.ts';
import { serveEscrow } from './escrow/escrow-provider.ts';
import { serveHorizon } from './ledger/horizon.ts';
import { serveRpc } from './ledger/rpc.ts';
import { servePayment } from './payment/payment-provider.ts';
import { openWorld, type World } from './world.ts';

export interface RunningWorld {
  readonly world: World;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface WorldOptions {
  readonly folder?: string;
  readonly port?: number;
  readonly host?: string;
  /** For links in its responses; the address it listens on unless set. */
  readonly publicUrl?: string;
  readonly hasVendorLimits?: boolean;
}

/** Listens on loopback unless a host is given: any caller that reaches it can mint money. */
export async function startWorld(options: WorldOptions = {}): Promise<RunningWorld> {
  const world = openWorld(options);
  // Set only on request: a folder may hold a world whose limits were switched on before.
  if (options.hasVendorLimits === true)
    for (const provider of ['escrow', 'payment']) world.store.put('limits', provider, true);
  serveHorizon(world);
  serveRpc(world);
  serveEscrow(world);
  servePayment(world);
  serveControl(world);
  const { server, url } = await world.router.listen(options.port ?? 0, options.host);
  world.settings.publicUrl = options.publicUrl ?? url;
  if (options.host !== undefined) world.settings.sharedAs = new URL(world.settings.publicUrl).host;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        world.store.close();
        resolve();
      });
      // Streams never end by themselves.
      server.closeAllConnections();
    });
  return { world, url, stop };
}
