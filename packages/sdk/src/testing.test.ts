import { events } from '@holdfast/contract/events';
import { hasShape } from '@holdfast/contract/shape';
import { afterEach, describe, expect, it } from 'vitest';
import { EVENT_AGGREGATES, type EventType } from '#index';
import { exampleEvent, exampleSecret, World } from '#testing';
import { type StandIn, startStandIn } from './testing/stand-in.ts';

describe('an example', () => {
  it.each(Object.keys(EVENT_AGGREGATES) as EventType[])('of %s is as the contract says', (type) => {
    const { payload, aggregateType } = exampleEvent(type);
    expect(hasShape(events[type].payload, payload)).toBe(true);
    expect(aggregateType).toBe(events[type].aggregateType);
  });

  it('is another event each time, and has what the test is about', () => {
    const [one, other] = [exampleEvent('order.closed'), exampleEvent('order.closed')];
    expect(one.eventId).not.toBe(other.eventId);
    expect(exampleEvent('order.closed', { orderId: 'ord_7' }).payload.orderId).toBe('ord_7');
    expect(exampleSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });
});

describe('the world', () => {
  let service: StandIn;
  afterEach(() => service.stop());

  it('sends the requests that the sandbox expects', async () => {
    service = await startStandIn((_, response) => void response.end('{}'));
    const world = new World({ url: `${service.url}/` });
    await world.fault('payment.payin.create', 'slow', { times: 2 });
    await world.clock.advance('14d');
    await world.clock.advance(1.5);
    await world.settleTopup('topup_1', 'FAILED');
    await world.clearFaults();
    expect(service.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'POST /control/faults {"provider":"payment","operation":"payin.create","kind":"slow","times":2}',
      'POST /control/clock/advance {"seconds":1209600}',
      'POST /control/clock/advance {"seconds":1.5}',
      'POST /control/payins/topup_1 {"status":"FAILED"}',
      'DELETE /control/faults ',
    ]);
    expect(() => world.clock.advance('two weeks')).toThrow('14d');
  });

  it('says what the sandbox refuses', async () => {
    service = await startStandIn((_, response) => void response.writeHead(422).end('no such code'));
    const world = new World({ url: service.url });
    await expect(world.deposit('G', '1')).rejects.toThrow('422 no such code');
  });
});
