//! Routes of the terms and the stops of a marketplace.
import { surfaceA } from '@holdfast/contract/surface-a';
import { liftStop } from '../../access/marketplaces/lift-stop.ts';
import { listStops } from '../../access/marketplaces/list-stops.ts';
import { getTerms, setTerms } from '../../access/marketplaces/set-terms.ts';
import { stopMarketplace } from '../../access/marketplaces/stop-marketplace.ts';
import type { App } from '../../app/wire.ts';
import type { Surface } from '../http/serve.ts';
import { stopView, termsView } from './views/access.view.ts';

export function stopRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getTerms, {
    run: (call, { params }) => getTerms(app, call, params.id),
    respond: (terms) => ({ data: termsView(terms) }),
  });
  surface.serve(surfaceA.setTerms, {
    run: (call, { params, body }) => setTerms(app, call, params.id, body),
    respond: (terms) => ({ data: termsView(terms) }),
  });
  surface.serve(surfaceA.stopMarketplace, {
    run: (call, { params, body }) => stopMarketplace(app, call, params.id, body),
    respond: (stop) => ({ data: stopView(stop) }),
  });
  surface.serve(surfaceA.listStops, {
    run: (call, { params }) => listStops(app, call, params.id),
    respond: ({ standing, lifted }) => ({
      data: { standing: standing.map(stopView), lifted: lifted.map(stopView) },
    }),
  });
  surface.serve(surfaceA.liftStop, {
    run: (call, { params, body }) => liftStop(app, call, params.id, body),
    respond: (stop) => ({ data: stopView(stop) }),
  });
}
