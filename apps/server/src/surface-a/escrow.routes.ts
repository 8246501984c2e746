//! Routes of escrow and resolution: the calls that move an order's money on the network.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { Surface } from '../http/serve.ts';
import { createEscrow } from '../orders/create-escrow.ts';
import { fundEscrow } from '../orders/fund-escrow.ts';
import { refundOrder } from '../orders/refund-order.ts';
import { releaseOrder } from '../orders/release-order.ts';
import type { App } from '../wire.ts';
import { orderView } from './order.view.ts';

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
