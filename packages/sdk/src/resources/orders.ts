//! Orders: the contract's calls, waiting for a state, and a whole checkout in one call.
import { type ErrorCode, HoldfastError, isHoldfastError } from '#errors';
import { endpoints } from '#generated/endpoints';
import type { Operation } from '#generated/operations-records';
import { OrdersCalls } from '#generated/orders';
import type { Order } from '#generated/orders-records';
import { FINAL_STATES } from '#generated/states';
import type { OrderStatus } from '#generated/words';
import { waitForOperation } from '#resources/operations';
import { type WaitOptions, waitUntil } from '#wait';

/** Orders, from the reservation to the release. */
export class Orders extends OrdersCalls {
  /**
   * Waits until the order is in a state, or in one of several. Rejects with `STATE_NOT_REACHED` as
   * soon as it has closed otherwise, and with `WAIT_TIMED_OUT` after `timeoutMs`.
   */
  waitFor(
    id: string,
    status: OrderStatus | readonly OrderStatus[],
    options: WaitOptions = {},
  ): Promise<Order> {
    const poll = (how: object) => this.get(id, how);
    const final = FINAL_STATES.order;
    return waitUntil({ what: `Order ${id}`, poll, wanted: status, final }, options);
  }

  /**
   * Brings an order from its current state to `IN_PROGRESS`: reserves, creates the escrow, funds
   * it. Each step is a call of its own and is not done twice: called again after a crash, it
   * continues from the order's state. An unknown outcome is waited for; a refusal is thrown.
   */
  async checkout(id: string, options: WaitOptions = {}): Promise<Order> {
    const { signal } = options;
    const passed = new Set<OrderStatus>();
    let order = await this.get(id, { signal });
    while (order.status !== 'IN_PROGRESS') {
      // It went back: the next round would be the last one again.
      if (passed.has(order.status)) throw notReached(order);
      passed.add(order.status);
      order = await this.#onward(order, options);
    }
    return order;
  }

  /** One step of a checkout. */
  #onward(order: Order, options: WaitOptions): Promise<Order> {
    const { id, status, escrow } = order;
    const how = { signal: options.signal };
    switch (status) {
      case 'ORDER_CREATED':
        return this.#settled(order, this.reserve(id, how), options);
      case 'FUNDS_RESERVED':
        return this.#settled(order, this.createEscrow(id, how), options);
      case 'ESCROW_CREATING':
        return this.waitFor(id, ['ESCROW_FUNDING', 'FUNDS_RESERVED', 'IN_PROGRESS'], options);
      case 'ESCROW_FUNDING':
        // The order's state is the same before and while money is on its way into the contract.
        return escrow?.status === 'FUNDING'
          ? this.waitFor(id, ['IN_PROGRESS', 'FUNDS_RESERVED'], options)
          : this.#settled(order, this.fundEscrow(id, how), options);
      default:
        return Promise.reject(notReached(order));
    }
  }

  /** The response, or the order once the outcome of a call without a response is known. */
  async #settled(before: Order, call: Promise<Order>, options: WaitOptions): Promise<Order> {
    const how = { signal: options.signal };
    try {
      return await call;
    } catch (error) {
      if (isHoldfastError(error, 'INVALID_STATE', 'ESCROW_ALREADY_EXISTS')) {
        const order = await this.get(before.id, how);
        if (order.status === before.status) throw error;
        return order; // Another caller was faster.
      }
      if (!isHoldfastError(error, 'PROVIDER_TIMEOUT')) throw error;
      const { operationId } = error.details;
      if (operationId === null) throw error;
      const parts = { params: { id: operationId } };
      const poll = (again: object) =>
        this.client.call<Operation>(endpoints.getOperation, parts, again);
      const ended = await waitForOperation(poll, operationId, ['DONE', 'REFUSED'], options);
      if (ended.status === 'REFUSED') throw refusedAs(ended, error);
      return this.get(before.id, how);
    }
  }
}

function notReached({ id, status }: Order): HoldfastError<'STATE_NOT_REACHED'> {
  return new HoldfastError('STATE_NOT_REACHED', {
    message: `Order ${id} is ${status}; checkout cannot reach IN_PROGRESS.`,
    details: { state: status, wanted: ['IN_PROGRESS'] },
  });
}

/** The refusal that the call would have received, had its response not been late. */
function refusedAs(operation: Operation, late: HoldfastError): HoldfastError {
  const code = (operation.refusalCode ?? 'INTERNAL_ERROR') as ErrorCode;
  return new HoldfastError(code, {
    message: `Operation ${operation.kind} on ${operation.resourceId} was rejected: ${code}.`,
    details: { reason: code, operationId: operation.id },
    requestId: late.requestId,
    isOutcomeKnown: true,
    cause: late,
  });
}
