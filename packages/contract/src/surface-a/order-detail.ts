//! An order with its money, parties, contract, and the operation that is at work on it.

import { ownEndpoint } from '#endpoint';
import { closed, id } from '#fields';
import { OrderDetailView } from '#records/console-records';

export const orderDetailEndpoints = {
  getOrderDetail: ownEndpoint('getOrderDetail', 'GET', '/orders/{id}/detail', {
    scope: 'read',
    summary: 'Get an order with the location of its money, its parties, contract and operation',
    params: closed({ id: id('ord') }),
    success: { status: 200, data: OrderDetailView },
    errors: ['ORDER_NOT_FOUND'],
  }),
};
