//! An order with its money, parties, contract, and the operation that is at work on it.

import { endpoint } from '#endpoint';
import { closed, id } from '#fields';
import { OrderDetailView } from '#records/console-records';

export const orderDetailEndpoints = {
  getOrderDetail: endpoint('getOrderDetail', 'GET', '/orders/{id}/detail', {
    scope: 'read',
    isOrderRoute: true,
    origin: 'ours',
    summary: 'Get an order with the location of its money, its parties, contract and operation',
    params: closed({ id: id('ord') }),
    success: { status: 200, data: OrderDetailView },
    errors: ['ORDER_NOT_FOUND'],
  }),
};
