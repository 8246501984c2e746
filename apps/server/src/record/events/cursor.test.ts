import { EVENT_NAMES, type EventName, events } from '@holdfast/contract/events';
import { manualClock, microsText } from '@holdfast/kernel/clock';
import { idAt } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { read } from '../../platform/database/transact.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { listen, numbersOf, openSse, publishSequenced } from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useMarket } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import {
  type EventFilter,
  findCursor,
  findOldest,
  type ResolvedCursor,
  wantedTypes,
} from './cursor.ts';
import { LOG_START, type LogPosition } from './event-log.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
/** A full second, so that each text below shows its distance from it. */
const START = Math.floor(Date.now() / 1000) * 1000;
const clock = manualClock(START);

const { world, market } = useMarket({ clock });
beforeAll(async () => {
  // Four events: at the second, a microsecond and two later, and two milliseconds later.
  await publishSequenced(world, market, 3);
  clock.advance(2);
  await publishSequenced(world, market, 1, 4);
});

function find(cursor: string, of = market): Promise<ResolvedCursor> {
  return read(world.app, systemCall(of.call.actor.marketplace), (tx) =>
    findCursor(tx, cursor, RETENTION_DAYS),
  );
}

const at = (micros: number) => microsText(START * 1000 + micros);
const POSITIONS: readonly LogPosition[] = [
  { position: 1, occurredAt: at(0) },
  { position: 2, occurredAt: at(1) },
  { position: 3, occurredAt: at(2) },
  { position: 4, occurredAt: at(2000) },
];
const [FIRST, SECOND, THIRD, LAST] = POSITIONS as [
  LogPosition,
  LogPosition,
  LogPosition,
  LogPosition,
];

/** The second of the start as a clock in another time zone shows it. */
function elsewhere(hours: number, offset: string): string {
  return `${microsText((START + hours * 3_600_000) * 1000).slice(0, 19)}${offset}`;
}

describe('a time as a cursor', () => {
  const second = at(0).slice(0, 19);

  it.each([
    ['the time of an event', at(1), SECOND],
    ['one between two events', at(1999), THIRD],
    ['the last of all', at(2000), LAST],
    ['seconds', `${second}Z`, FIRST],
    ['three digits', `${second}.002Z`, LAST],
    ['three digits before an event', `${second}.001Z`, THIRD],
    ['one digit', `${second}.0Z`, FIRST],
    ['six digits', `${second}.000001Z`, SECOND],
    ['nine digits, cut off and not rounded up', `${second}.000001999Z`, SECOND],
    ['nine digits at the edge', `${second}.000000999Z`, FIRST],
    ['an offset to the east', elsewhere(2, '.000001+02:00'), SECOND],
    ['an offset to the west', elsewhere(-11, '.000001-11:00'), SECOND],
    ['half an hour of offset', elsewhere(5.5, '.002+05:30'), LAST],
  ])('with %s is a position', async (_, cursor, logPosition) => {
    expect(await find(cursor)).toEqual({
      logPosition: logPosition,
      retainedSince: null,
      resumeFrom: cursor,
    });
  });

  it('with minutes only, or a date only, is the start of it', async () => {
    const minute = at(0).slice(0, 16);
    const day = at(0).slice(0, 10);
    for (const [cursor, occurredAt] of [
      [`${minute}Z`, `${minute}:00.000000Z`],
      [day, `${day}T00:00:00.000000Z`],
    ] as const) {
      const { logPosition } = await find(cursor);
      // Exactly at the start, the first event is there already.
      expect(logPosition).toEqual(
        occurredAt === FIRST.occurredAt ? FIRST : { position: 0, occurredAt },
      );
    }
  });

  it.each([
    '',
    ' ',
    'yesterday',
    '0',
    '1767225600',
    '2026-13-01',
    '2026-01-32',
    '2026-01-01T25:00Z',
  ])('is refused when it is invalid: %j', async (cursor) => {
    await expect(find(cursor)).rejects.toSatisfy(isRefusal('VALIDATION_ERROR'));
  });

  it.each([
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.0000000001Z',
    '2026-01-01 00:00:00Z',
    '20260101T000000Z',
    '-000001-01-01',
    '+010000-01-01T00:00:00Z',
    "2026-01-01T00:00:00Z' or true --",
    '2026-01-01T00:00:00Z\u0000',
  ])('is refused in an unsupported form: %j', async (cursor) => {
    await expect(find(cursor)).rejects.toSatisfy(isRefusal('VALIDATION_ERROR'));
  });

  it.each(['9999-12-31T23:59:59.999999999Z', '9999-12-31', '9999-12-31T23:59:59.999+14:00'])(
    'is the end of the log at the end of all years: %s',
    async (cursor) => {
      expect(await find(cursor)).toMatchObject({ logPosition: LAST, retainedSince: null });
    },
  );

  it.each(['9999-12-31T23:59:59-00:01', '1969-12-31T23:59:59.999999Z', '0000-01-01'])(
    'is refused outside of the supported range: %s',
    async (cursor) => {
      await expect(find(cursor)).rejects.toSatisfy(isRefusal('VALIDATION_ERROR'));
    },
  );
});

describe('an id as a cursor', () => {
  const idOf = async ({ call }: Market, position: number) =>
    (
      await world.rows<{ id: string }>(
        'select id from event where marketplace_id = $1 and position = $2',
        [call.actor.marketplace, position],
      )
    )[0]?.id ?? '';

  it('is the position of its event', async () => {
    for (const logPosition of POSITIONS)
      expect(await find(await idOf(market, logPosition.position))).toMatchObject({
        logPosition: logPosition,
        retainedSince: null,
      });
  });

  it('is refused when unknown or of another marketplace, with the same message', async () => {
    const otherMarket = await world.market();
    await publishSequenced(world, otherMarket, 1);
    const foreign = await idOf(otherMarket, 1);
    // An id of a time with an event here, and one of a time without.
    for (const id of [foreign, idAt('evt', START * 1000 + 1), idAt('evt', START * 1000 + 500)])
      await expect(find(id)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { validationErrors: [`cursor is invalid: event ${id} not found`] },
      });
    expect((await find(foreign, otherMarket)).logPosition.position).toBe(1);
  });

  it.each([
    'evt_',
    'evt_short',
    `evt_${'z'.repeat(27)}`,
    `evt_${'0'.repeat(33)}`,
    `EVT_${'0'.repeat(27)}`,
    `usr_${'0'.repeat(27)}`,
    `evt_${'l'.repeat(27)}`,
  ])('is refused when it is malformed: %s', async (cursor) => {
    await expect(find(cursor)).rejects.toSatisfy(isRefusal('VALIDATION_ERROR'));
  });
});

describe('a cursor past retention', () => {
  it('misses nothing when it names the last event of a log that has been quiet since', async () => {
    const later = { ...world.app, clock: manualClock(START + 40 * DAY_MS) };
    const found = (cursor: string) =>
      read(later, systemCall(market.call.actor.marketplace), (tx) =>
        findCursor(tx, cursor, RETENTION_DAYS),
      );
    expect(await found(LAST.occurredAt)).toMatchObject({ logPosition: LAST, retainedSince: null });
    expect((await found(THIRD.occurredAt)).retainedSince).not.toBeNull();
  });

  const retainedSince = microsText((START + 2 - RETENTION_DAYS * DAY_MS) * 1000);

  it.each([
    ['a time', '2020-01-01T00:00:00.000000Z'],
    ['a date', '1970-01-01'],
    ['an id, known or not', idAt('evt', 1)],
    ['a microsecond too old', microsText((START + 2 - RETENTION_DAYS * DAY_MS) * 1000 - 1)],
  ])('returns the time since when all events are retained: %s', async (_, cursor) => {
    expect(await find(cursor)).toMatchObject({
      logPosition: { position: 0, occurredAt: retainedSince },
      retainedSince,
    });
  });

  it('does not include a cursor just within the retention', async () => {
    const logPosition = { position: 0, occurredAt: retainedSince };
    expect(await find(retainedSince)).toMatchObject({
      logPosition: logPosition,
      retainedSince: null,
    });
  });

  it('continues behind the retention limit, though older events may still be there', async () => {
    const slow = await world.market();
    await publishSequenced(world, slow, 2);
    clock.advance(RETENTION_DAYS * DAY_MS);
    await publishSequenced(world, slow, 1, 3);
    clock.advance(1);
    const { logPosition, retainedSince: since } = await find('2020-01-01', slow);
    const oldest = await read(world.app, systemCall(slow.call.actor.marketplace), (tx) =>
      findOldest(tx, RETENTION_DAYS),
    );
    clock.advance(-1 - RETENTION_DAYS * DAY_MS);
    expect(logPosition.position).toBe(2);
    expect(oldest).toMatchObject({ logPosition: logPosition, retainedSince: null });
    expect(since).toBe(microsText((clock.now() + 1) * 1000));
  });
});

describe('a cursor ahead of the log', () => {
  const AHEAD = '2999-01-01T00:00:00.000000Z';

  it('is the end of it, and not the cursor to resume from', async () => {
    expect(await find(AHEAD)).toEqual({
      logPosition: LAST,
      retainedSince: null,
      resumeFrom: LAST.occurredAt,
    });
    expect(await find(AHEAD, await world.market())).toEqual({
      logPosition: LOG_START,
      retainedSince: null,
      resumeFrom: null,
    });
  });

  it.each([0, 3])('still receives later events: a log of %i, then two more', async (count) => {
    const eager = await world.market();
    await publishSequenced(world, eager, count);
    const reader = await openSse(await listen(world), { key: eager.key, query: `?since=${AHEAD}` });
    await publishSequenced(world, eager, 2, count + 1);
    await eventually(3000, () => expect(reader.messages.length).toBe(2));
    expect(numbersOf(reader.events)).toEqual([count + 1, count + 2]);
    reader.close();
  });
});

describe('wanted types', () => {
  const of = (resource: string) =>
    EVENT_NAMES.filter((name) => events[name].aggregateType === resource);

  it.each<[EventFilter, readonly EventName[] | null]>([
    [{}, null],
    [{ types: ['user.created'] }, ['user.created']],
    [{ types: ['order.created', 'user.created'] }, ['user.created', 'order.created']],
    [{ resources: ['Balance'] }, of('Balance')],
    [
      { resources: ['User', 'Dispute'] },
      EVENT_NAMES.filter((name) => of('User').includes(name) || of('Dispute').includes(name)),
    ],
    [{ types: ['user.created', 'balance.credited'], resources: ['User'] }, ['user.created']],
    [{ types: ['user.created'], resources: ['Order'] }, []],
    [{ types: [] }, []],
    [{ types: EVENT_NAMES }, EVENT_NAMES],
  ])('of %j', (filter, wanted) => {
    const passing = wantedTypes(filter);
    expect(passing && EVENT_NAMES.filter((name) => passing.has(name))).toEqual(wanted);
  });
});
