//! An order with all that explains it: money, parties, contract, and what is being done now.
import { OrderDetailView } from '#console-records';
import { endpoint } from '#endpoint';
import { closed, id } from '#fields';

export const orderDetailEndpoints = {
  getOrderDetail: endpoint('getOrderDetail', 'GET', '/orders/{id}/detail', {
    scope: 'read',
    orderFamily: true,
    origin: 'ours',
    summary: 'Get an order with where its money is, its parties, its contract and its operation',
    params: closed({ id: id('ord') }),
    success: { status: 200, data: OrderDetailView },
    errors: ['ORDER_NOT_FOUND'],
  }),
};
