//! Routes of orders and their milestones.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { cancelOrder } from '../../orders/order/cancel-order.ts';
import { completeMilestone } from '../../orders/order/complete-milestone.ts';
import { createOrder } from '../../orders/order/create-order.ts';
import {
  getOrder,
  getOrderDetail,
  listMilestones,
  listOrders,
} from '../../orders/order/read-orders.ts';
import { reserveOrder } from '../../orders/order/reserve-order.ts';
import type { Surface } from '../http/serve.ts';
import { milestoneView, orderView } from './views/order.view.ts';
import { orderDetailView } from './views/order-detail.view.ts';

export function orderRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.createOrder, {
    run: (call, { body }) => createOrder(app, call, body),
    respond: ({ order, isNew }) => ({ data: orderView(order), status: isNew ? 201 : 200 }),
  });
  surface.serveList(surfaceA.listOrders, {
    run: (call, { query }) => listOrders(app, call, query),
    item: orderView,
  });
  surface.serve(surfaceA.getOrder, {
    run: (call, { params }) => getOrder(app, call, params.id),
    respond: (order) => ({ data: orderView(order) }),
  });
  surface.serve(surfaceA.getOrderDetail, {
    run: (call, { params }) => getOrderDetail(app, call, params.id),
    respond: (detail) => ({ data: orderDetailView(detail) }),
  });
  surface.serve(surfaceA.reserveOrder, {
    run: (call, { params }) => reserveOrder(app, call, params.id),
    respond: (order) => ({ data: orderView(order) }),
  });
  surface.serve(surfaceA.cancelOrder, {
    run: (call, { params, body }) => cancelOrder(app, call, params.id, body ?? {}),
    respond: (order) => ({ data: orderView(order) }),
  });
  surface.serveList(surfaceA.listMilestones, {
    run: (call, { params, query }) => listMilestones(app, call, params.id, query),
    item: milestoneView,
  });
  surface.serve(surfaceA.completeMilestone, {
    run: (call, { params }) => completeMilestone(app, call, params.id, params.ref),
    respond: (order) => ({ data: orderView(order) }),
  });
}
