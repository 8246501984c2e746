import { describe, expect, it } from 'vitest';
import type { HoldfastEvent } from '#event';
import { onEvents, seenInMemory } from '#stream/handlers';
import { exampleEvent } from '#testing';

describe('handlers', () => {
  it('get the events of their type, and other gets the rest', async () => {
    const log: string[] = [];
    const take = onEvents({
      'order.released': ({ payload }) => log.push(`released ${payload.newSellerBalance}`),
      other: ({ eventType }) => log.push(eventType),
    });
    await take(exampleEvent('order.released', { newSellerBalance: '95.00' }));
    await take(exampleEvent('order.closed'));
    const newer = { ...exampleEvent('order.closed'), eventId: 'evt_x', eventType: 'order.taxed' };
    await take(newer as unknown as HoldfastEvent);
    expect(log).toEqual(['released 95.00', 'order.closed', 'order.taxed']);
  });

  it('are not found in what every object inherits', async () => {
    const event = { ...exampleEvent('order.closed'), eventType: 'constructor' };
    await onEvents({})(event as unknown as HoldfastEvent);
    const named = { ...exampleEvent('order.closed'), eventType: 'other' };
    const log: string[] = [];
    await onEvents({ other: ({ eventType }) => log.push(eventType) })(
      named as unknown as HoldfastEvent,
    );
    expect(log).toEqual(['other']);
  });

  it('deal once with an event, but again with one that failed', async () => {
    let calls = 0;
    const take = onEvents({
      other() {
        calls += 1;
        if (calls === 1) throw new Error('not now');
      },
    });
    const event = exampleEvent('order.closed');
    await expect(take(event)).rejects.toThrow('not now');
    await take(event);
    await take(event);
    expect(calls).toBe(2);
    const log: string[] = [];
    const every = onEvents({ other: ({ eventId }) => log.push(eventId) }, { seen: false });
    await every(event);
    await every(event);
    expect(log).toHaveLength(2);
  });

  it('remember a limited number of events', () => {
    const seen = seenInMemory(2);
    for (const id of ['a', 'b', 'c']) void seen.add(id);
    expect(['a', 'b', 'c'].map((id) => seen.has(id))).toEqual([false, true, true]);
  });
});
