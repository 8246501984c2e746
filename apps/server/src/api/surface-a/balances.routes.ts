//! Routes of balances: reading one, and moving money within the books.
import { surfaceA } from '@holdfast/contract/surface-a';
import { cancelReservations } from '../../accounts/books/cancel-reservations.ts';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { getBalance } from '../../accounts/books/get-balance.ts';
import { reserveBalance } from '../../accounts/books/reserve-balance.ts';
import { spendReserved } from '../../accounts/books/spend-reserved.ts';
import { unreserveBalance } from '../../accounts/books/unreserve-balance.ts';
import type { App } from '../../app/wire.ts';
import { syncBalance } from '../../assurance/reconciliation/sync-balance.ts';
import { verifyBalance } from '../../assurance/reconciliation/verify-balance.ts';
import type { Surface } from '../http/serve.ts';
import {
  balanceSyncView,
  balanceVerificationView,
  balanceView,
  postedBalanceResponse,
} from './views/balance.view.ts';

export function balanceRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getBalance, {
    run: (call, { params, query }) => getBalance(app, call, params.userId, query.currency),
    respond: (balance) => ({ data: balanceView(balance) }),
  });
  surface.serve(surfaceA.creditBalance, {
    run: (call, { params, body }) => creditBalance(app, call, params.userId, body),
    respond: postedBalanceResponse,
  });
  surface.serve(surfaceA.debitBalance, {
    run: (call, { params, body }) => debitBalance(app, call, params.userId, body),
    respond: postedBalanceResponse,
  });
  surface.serve(surfaceA.reserveBalance, {
    run: (call, { params, body }) => reserveBalance(app, call, params.userId, body),
    respond: postedBalanceResponse,
  });
  surface.serve(surfaceA.releaseBalance, {
    run: (call, { params, body }) => unreserveBalance(app, call, params.userId, body),
    respond: postedBalanceResponse,
  });
  surface.serve(surfaceA.cancelReservation, {
    run: (call, { params, body }) => cancelReservations(app, call, params.userId, body),
    respond: postedBalanceResponse,
  });
  surface.serve(surfaceA.deductReserved, {
    run: (call, { params, body }) => spendReserved(app, call, params.userId, body),
    respond: postedBalanceResponse,
  });
  surface.serve(surfaceA.syncBalance, {
    run: (call, { params, query }) => syncBalance(app, call, params.userId, query.currency),
    respond: (sync) => ({ data: balanceSyncView(sync) }),
  });
  surface.serve(surfaceA.verifyBalance, {
    run: (call, { params, query }) => verifyBalance(app, call, params.userId, query.currency),
    respond: (verification) => ({ data: balanceVerificationView(verification) }),
  });
}
