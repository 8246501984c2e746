//! A user's address on the Stellar network.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { closed, createdBetween, currency, id, listQuery } from '#fields';
import { DepositAddressView, WalletTransactionView, WalletView } from '#records';

const user = closed({ userId: id('usr') });

export const walletEndpoints = {
  getWallet: endpoint('getWallet', 'GET', '/users/{userId}/wallet', {
    scope: 'read',
    summary: 'Get the address of a user and its balance per asset',
    params: user,
    success: { status: 200, data: WalletView },
    errors: ['USER_NOT_FOUND', 'PROVIDER_TIMEOUT'],
  }),
  getDepositAddress: endpoint('getDepositAddress', 'GET', '/users/{userId}/wallet/deposit', {
    scope: 'read',
    summary: 'Get the deposit address, and the balance that deposits are credited to',
    params: user,
    query: closed({ currency: Type.Optional(currency()) }),
    success: { status: 200, data: DepositAddressView },
    errors: ['USER_NOT_FOUND'],
  }),
  listWalletTransactions: endpoint(
    'listWalletTransactions',
    'GET',
    '/users/{userId}/wallet/transactions',
    {
      scope: 'read',
      summary: 'List the transactions of the address, newest first',
      params: user,
      query: listQuery('txn', createdBetween),
      success: { status: 200, data: WalletTransactionView, list: true },
      errors: ['USER_NOT_FOUND'],
    },
  ),
};
