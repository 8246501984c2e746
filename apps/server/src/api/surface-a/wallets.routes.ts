//! Routes of a user's address on the ledger network, and of the account at the payment provider.
import { surfaceA } from '@holdfast/contract/surface-a';
import { linkPaymentAccount } from '../../accounts/users/link-payment-account.ts';
import {
  getDepositAddress,
  getWallet,
  listWalletTransactions,
} from '../../accounts/users/read-wallets.ts';
import type { App } from '../../app/wire.ts';
import type { Surface } from '../http/serve.ts';
import { userView } from './views/user.view.ts';
import { depositAddressView, walletTransactionView, walletView } from './views/wallet.view.ts';

export function walletRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.linkPaymentAccount, {
    run: (call, { params, body }) => linkPaymentAccount(app, call, params.id, body ?? {}),
    respond: (user) => ({ data: userView(user) }),
  });
  surface.serve(surfaceA.getWallet, {
    run: (call, { params }) => getWallet(app, call, params.userId),
    respond: (wallet) => ({ data: walletView(wallet) }),
  });
  surface.serve(surfaceA.getDepositAddress, {
    run: (call, { params, query }) => getDepositAddress(app, call, params.userId, query.currency),
    respond: (deposit) => ({ data: depositAddressView(deposit) }),
  });
  surface.serveList(surfaceA.listWalletTransactions, {
    run: (call, { params, query }) => listWalletTransactions(app, call, params.userId, query),
    item: walletTransactionView,
  });
}
