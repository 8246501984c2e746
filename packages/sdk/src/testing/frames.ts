//! Event streams for tests: frames, and responses that send, stay open or break off.
import type { ServerResponse } from 'node:http';
import type { Responder } from './stand-in.ts';

export const at = (number: number) => `2026-11-15T05:00:00.00000${number}Z`;
const event = (number: number) => ({
  eventId: `evt_${number}`,
  eventType: 'order.closed',
  occurredAt: at(number),
  payload: { orderId: `ord_${number}` },
});
export const frame = (number: number) =>
  `id: ${at(number)}\nevent: order.closed\ndata: ${JSON.stringify(event(number))}\n\n`;
export const RESET = `event: stream.reset\ndata: {"reset":true,"retainedSince":"${at(5)}"}\n\n`;

function open(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Sends the text and ends. */
export const sends =
  (body: string): Responder =>
  (_, response) =>
    void open(response).end(body);
/** Sends the text and stays open. */
export const holdsOpen =
  (body: string): Responder =>
  (_, response) =>
    void open(response).write(body);
/** Sends the text and cuts the connection. */
export const breaks =
  (body: string): Responder =>
  (_, response) =>
    void open(response).write(body, () => response.socket?.destroy());

/** Sends the text byte by byte, each in a piece of its own. */
export const dribbles =
  (body: string): Responder =>
  (_, response) => {
    const bytes = Buffer.from(body);
    open(response);
    let sent = 0;
    const next = () => {
      if (sent === bytes.length) return;
      response.write(bytes.subarray(sent, sent + 1));
      sent += 1;
      setImmediate(next);
    };
    next();
  };
