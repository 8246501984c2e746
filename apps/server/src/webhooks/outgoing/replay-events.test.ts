import { newId } from '@holdfast/kernel/ids';
import { beforeEach, describe, expect, it } from 'vitest';
import { numbersOf, publishSequenced } from '../../testing/sse.ts';
import { useOpenedEach, useWorld } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';
import type { LaneId } from './lane.ts';

const world = useWorld();
const market = useOpenedEach(() => world.market());
const receiver = useOpenedEach(openReceiver);
let id: LaneId;
let events: { eventId: string; occurredAt: string }[];
beforeEach(async () => {
  ({ id } = await createEndpoint(market, { url: receiver.url }));
  await publishSequenced(world, market, 5);
  await runLane(world, market, id);
  events = receiver.received.map(({ text }) => JSON.parse(text));
});

const replay = (body: object) => market.send('POST', `/webhook-endpoints/${id}/replay`, { body });
const again = () => numbersOf(receiver.received.slice(5).map(({ text }) => JSON.parse(text)));

it('sends one event, under its own id, and leaves the live lane unchanged', async () => {
  const { json } = await replay({ eventId: events[2]?.eventId });
  expect(json.data.data).toMatchObject({ kind: 'REPLAY', status: 'OPEN', webhookEndpointId: id });
  await runLane(world, market, json.data.data.id);
  expect(again()).toEqual([3]);
  expect(receiver.received[5]?.headers['webhook-id']).toBe(events[2]?.eventId);
  expect(receiver.received[5]?.text).toBe(receiver.received[2]?.text);
  const shown = (await market.send('GET', `/webhook-endpoints/${id}`)).json.data.data;
  expect(shown).toMatchObject({ backlog: 0, openReplays: 0, deliveredTo: events[4]?.occurredAt });
  const sent = await market.send(
    'GET',
    `/webhook-endpoints/${id}/deliveries?eventId=${events[2]?.eventId}`,
  );
  expect(sent.json.data.data).toMatchObject([{ kind: 'REPLAY' }, { kind: 'LIVE' }]);
});

it('sends all since a time or an event, while the live lane continues', async () => {
  const { json } = await replay({ since: events[1]?.occurredAt });
  // New events belong to the live lane.
  await publishSequenced(world, market, 2, 6);
  await runLane(world, market, id);
  expect(again()).toEqual([6, 7]);
  await runLane(world, market, json.data.data.id);
  expect(again()).toEqual([6, 7, 3, 4, 5]);
  const second = await replay({ since: events[3]?.eventId });
  await runLane(world, market, second.json.data.data.id);
  expect(again()).toEqual([6, 7, 3, 4, 5, 5, 6, 7]);
  const lanes = await world.rows(
    'select status from webhook_lane where endpoint_id = $1 and kind = $2',
    [id, 'REPLAY'],
  );
  expect(lanes).toEqual([{ status: 'DONE' }, { status: 'DONE' }]);
});

it('retries a failed replay by itself and leaves the live lane unchanged', async () => {
  const { json } = await replay({ since: events[2]?.occurredAt });
  receiver.respondWith((response) => void response.writeHead(500).end());
  expect(await runLane(world, market, json.data.data.id)).toMatchObject({ kind: 'again' });
  receiver.respondWith((response) => void response.end());
  await publishSequenced(world, market, 1, 6);
  await runLane(world, market, id);
  expect(again()).toEqual([4, 6]);
  const shown = (await market.send('GET', `/webhook-endpoints/${id}`)).json.data.data;
  expect(shown).toMatchObject({ failures: 0, openReplays: 1, status: 'ACTIVE' });
});

describe('refusing a replay', () => {
  const codeOf = async (body: object) => (await replay(body)).json.error.code;

  it('refuses a body with neither or both, and an invalid cursor', async () => {
    expect(await codeOf({})).toBe('VALIDATION_ERROR');
    expect(await codeOf({ eventId: events[0]?.eventId, since: '2026-01-01' })).toBe(
      'VALIDATION_ERROR',
    );
    expect(await codeOf({ since: 'yesterday' })).toBe('VALIDATION_ERROR');
  });

  it('refuses an unknown event, and a time past retention', async () => {
    expect(await codeOf({ eventId: newId('evt', Date.now()) })).toBe('EVENT_NOT_FOUND');
    expect(await codeOf({ since: '2020-01-01' })).toBe('CURSOR_EXPIRED');
    const other = await world.market();
    const { id: foreign } = await createEndpoint(other, { url: receiver.url });
    const body = { eventId: events[0]?.eventId };
    const response = await other.send('POST', `/webhook-endpoints/${foreign}/replay`, { body });
    expect(response.json.error.code).toBe('EVENT_NOT_FOUND');
  });

  it('refuses more than ten at once', async () => {
    const body = { since: events[0]?.occurredAt };
    const responses = await Promise.all(Array.from({ length: 14 }, () => replay(body)));
    const created = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status === 422);
    expect([created.length, refused.length]).toEqual([10, 4]);
  });
});
