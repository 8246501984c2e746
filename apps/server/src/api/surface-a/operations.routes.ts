//! Routes of operations.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { getOperation, listOperations } from '../../engine/read-operations.ts';
import { retryOperation } from '../../engine/retry-operation.ts';
import type { Surface } from '../http/serve.ts';
import { operationView } from './views/operation.view.ts';

export function operationRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getOperation, {
    run: (call, { params }) => getOperation(app, call, params.id),
    respond: (operation) => ({ data: operationView(operation) }),
  });
  surface.serveList(surfaceA.listOperations, {
    run: (call, { query }) => listOperations(app, call, query),
    item: operationView,
  });
  surface.serve(surfaceA.retryOperation, {
    run: (call, { params, body }) => retryOperation(app, call, params.id, body),
    respond: (operation) => ({ data: operationView(operation) }),
  });
}
