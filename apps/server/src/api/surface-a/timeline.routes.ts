//! Routes of the timeline of an order.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { getOrderTimeline } from '../../orders/timeline/get-order-timeline.ts';
import type { Surface } from '../http/serve.ts';
import { timelineItemView } from './views/timeline.view.ts';

export function timelineRoutes(surface: Surface, app: App): void {
  surface.serveList(surfaceA.getOrderTimeline, {
    run: (call, { params, query }) => getOrderTimeline(app, call, params.id, query),
    item: timelineItemView,
  });
}
