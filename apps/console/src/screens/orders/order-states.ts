//! The states of an order, as the contract lists them.
import { statesOf } from '@holdfast/contract/machine';
import { orderMachine } from '@holdfast/contract/machines/order-machine';

export const ORDER_STATES = statesOf(orderMachine);
