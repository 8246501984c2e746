//! Event streams as a test wants them: frames, and answers that send, keep or break off.
import type { ServerResponse } from 'node:http';
import type { Answerer } from './stand-in.ts';

export const at = (number: number) => `2026-11-15T05:00:00.00000${number}Z`;
const event = (number: number) => ({
  eventId: `evt_${number}`,
  eventType: 'order.closed',
  occurredAt: at(number),
  payload: { orderId: `ord_${number}` },
});
export const frame = (number: number) =>
  `id: ${at(number)}\nevent: order.closed\ndata: ${JSON.stringify(event(number))}\n\n`;
export const RESET = `event: stream.reset\ndata: {"reset":true,"keptSince":"${at(5)}"}\n\n`;

function open(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Sends the text and ends. */
export const sends =
  (body: string): Answerer =>
  (_, response) =>
    void open(response).end(body);
/** Sends the text and stays open. */
export const keeps =
  (body: string): Answerer =>
  (_, response) =>
    void open(response).write(body);
/** Sends the text and cuts the connection. */
export const breaks =
  (body: string): Answerer =>
  (_, response) =>
    void open(response).write(body, () => response.socket?.destroy());

/** Sends the text byte by byte, each in a piece of its own. */
export const dribbles =
  (body: string): Answerer =>
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
