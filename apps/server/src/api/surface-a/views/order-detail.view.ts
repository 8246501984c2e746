//! Response view of an order with its amounts, parties and contract.
import type {
  OrderContractView,
  OrderDetailView,
  OrderPartyView,
} from '@holdfast/contract/records/console-records';
import { minorText } from '@holdfast/kernel/money';
import type { OrderDetail } from '../../../orders/order/read-orders.ts';
import { orderView } from './order.view.ts';

export function orderDetailView(detail: OrderDetail): OrderDetailView {
  const { order, money, buyer, seller, openOperationId } = detail;
  return {
    order: orderView(order),
    money: {
      currency: order.currency,
      amount: order.amount.text,
      reserved: money.reserved.text,
      escrowed: money.escrowed.text,
      released: money.released.text,
      refunded: money.refunded.text,
      fee: money.fee.text,
      remainder: money.remainder.text,
    },
    parties: { buyer: partyView(buyer), seller: partyView(seller) },
    contract: order.escrow === null ? null : contractView(order.escrow),
    openOperationId,
  };
}

function partyView(user: OrderDetail['buyer']): OrderPartyView {
  return {
    userId: user.id,
    externalUserId: user.externalUserId,
    email: user.email,
    status: user.status,
    ledgerAddress: user.ledgerAddress,
    hasPaymentAccount: user.paymentAccountUserId !== null,
  };
}

function contractView(escrow: NonNullable<OrderDetail['order']['escrow']>): OrderContractView {
  return {
    escrowId: escrow.id,
    contractId: escrow.providerContractId,
    deployHash: escrow.deployHash,
    feeRate: minorText(escrow.feeRate),
    roles: {
      buyer: escrow.buyerAddress,
      seller: escrow.sellerAddress,
      platform: escrow.platformAddress,
      resolver: escrow.resolverAddress,
    },
  };
}
