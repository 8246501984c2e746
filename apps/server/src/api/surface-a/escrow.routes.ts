//! Routes of escrow and resolution: the calls that move an order's money on the network.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { createEscrow } from '../../orders/escrow/create-escrow.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import { refundOrder } from '../../orders/settlement/refund-order.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import type { Surface } from '../http/serve.ts';
import { orderView } from './views/order.view.ts';

export function escrowRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.createEscrow, {
    run: (call, { params }) => createEscrow(app, call, params.id),
    respond: (order) => ({ data: orderView(order) }),
  });
  surface.serve(surfaceA.fundEscrow, {
    run: (call, { params }) => fundEscrow(app, call, params.id),
    respond: (order) => ({ data: orderView(order) }),
  });
  surface.serve(surfaceA.releaseOrder, {
    run: (call, { params, body }) => releaseOrder(app, call, params.orderId, body ?? {}),
    respond: (order) => ({ data: orderView(order) }),
  });
  surface.serve(surfaceA.refundOrder, {
    run: (call, { params, body }) => refundOrder(app, call, params.orderId, body),
    respond: (order) => ({ data: orderView(order) }),
  });
}
