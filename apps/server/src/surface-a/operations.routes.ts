//! Operations.
import { surfaceA } from '@holdfast/contract/surface-a';
import { getOperation } from '../engine/get-operation.ts';
import type { Surface } from '../http/serve.ts';
import type { App } from '../wire.ts';
import { operationView } from './operation.view.ts';

export function operationRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getOperation, {
    run: (call, { params }) => getOperation(app, call, params.id),
    answer: (operation) => ({ data: operationView(operation) }),
  });
}
