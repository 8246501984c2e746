//! Routes of the event stream, and of the same log by polling.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { listEventLog } from '../../record/events/list-event-log.ts';
import { openStream } from '../../record/events/open-stream.ts';
import type { Surface } from '../http/serve.ts';

export function eventRoutes(surface: Surface, app: App): void {
  surface.serveStream(surfaceA.streamEvents, app.streams, {
    open: (call, { query }, headers) =>
      openStream(app, call, { ...query, lastEventId: headerText(headers['last-event-id']) }),
  });
  surface.serveList(surfaceA.listEventLog, {
    run: (call, { query }) => listEventLog(app, call, query),
    item: (envelope) => envelope,
  });
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
