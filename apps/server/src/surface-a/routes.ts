//! Surface A's table of contents: one line per family, in the specification's order.
import type { FastifyInstance } from 'fastify';
import { Surface } from '../http/serve.ts';
import type { App } from '../wire.ts';
import { accessRoutes } from './access.routes.ts';
import { auditRoutes } from './audit.routes.ts';
import { balanceRoutes } from './balances.routes.ts';
import { disputeRoutes } from './disputes.routes.ts';
import { escrowRoutes } from './escrow.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { operationRoutes } from './operations.routes.ts';
import { orderRoutes } from './orders.routes.ts';
import { platformRoutes } from './platform.routes.ts';
import { reconciliationRoutes } from './reconciliation.routes.ts';
import { statementRoutes } from './statements.routes.ts';
import { timelineRoutes } from './timeline.routes.ts';
import { topupRoutes } from './topups.routes.ts';
import { userRoutes } from './users.routes.ts';
import { walletRoutes } from './wallets.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { withdrawalRoutes } from './withdrawals.routes.ts';

export function serveSurfaceA(http: FastifyInstance, app: App): void {
  const surface = new Surface(http, '/api/v1', app.clock);
  accessRoutes(surface, app);
  platformRoutes(surface, app);
  userRoutes(surface, app);
  balanceRoutes(surface, app);
  walletRoutes(surface, app);
  topupRoutes(surface, app);
  orderRoutes(surface, app);
  escrowRoutes(surface, app);
  disputeRoutes(surface, app);
  withdrawalRoutes(surface, app);
  eventRoutes(surface, app);
  webhookRoutes(surface, app);
  auditRoutes(surface, app);
  operationRoutes(surface, app);
  timelineRoutes(surface, app);
  statementRoutes(surface, app);
  reconciliationRoutes(surface, app);
}
