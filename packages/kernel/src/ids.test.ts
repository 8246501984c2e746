import { describe, expect, it } from 'vitest';
import { idAt, idFloor, microsOf, newId, PREFIXES, type Prefix, readId } from '#ids';
import { seededRandom } from '#random';

describe('a new id', () => {
  it('is read back under its own prefix and no other', () => {
    for (const prefix of Object.keys(PREFIXES) as Prefix[]) {
      const id = newId(prefix, Date.now());
      expect(readId(prefix, id)).toBe(id);
      expect(readId(prefix === 'usr' ? 'ord' : 'usr', id)).toBeUndefined();
    }
  });

  it('sorts after every id made before it, and never repeats, over a million', () => {
    let last = '';
    for (let count = 0; count < 1_000_000; count += 1) {
      const id = newId('usr', Date.now());
      if (id <= last) throw new Error(`${id} came after ${last}`);
      last = id;
    }
  });

  it('carries eighty random bits behind its time', () => {
    const tails = [
      newId('ord', Date.now(), seededRandom(1)),
      newId('ord', Date.now(), seededRandom(2)),
    ].map((id) => id.slice(-16));
    expect(tails[0]).not.toBe(tails[1]);
    expect(tails[0]).toHaveLength(16);
    const everyBit = Array.from({ length: 2000 }, () => newId('ord', Date.now()).slice(-16)).join(
      '',
    );
    expect(new Set(everyBit).size).toBe(32);
  });

  it('lies between the floors of the instants around it', () => {
    const id = newId('aud', Date.now());
    expect(id > idFloor('aud', Date.now() - 2000)).toBe(true);
    expect(id < idFloor('aud', Date.now() + 2000)).toBe(true);
  });

  it('carries the time of the clock it is made by, which may move both ways', () => {
    const now = Date.now();
    for (const days of [400, -400, 0]) {
      const at = now + days * 86_400_000;
      const ids = [newId('ord', at), newId('ord', at)];
      expect(ids.map((id) => Math.floor(microsOf(id) / 1000))).toEqual([at, at]);
      expect(ids).toEqual(ids.toSorted());
    }
  });

  it('sorts after the ones before it though another transaction started a moment earlier', () => {
    const at = Date.now() + 3_600_000;
    expect(newId('ord', at) < newId('ord', at - 900)).toBe(true);
  });
});

describe('an id at a given time', () => {
  const micros = 1_763_000_000_123_045;

  it('is an id, and starts with that time', () => {
    for (const time of [0, 1, 31, 32, 999, micros, 2 ** 53 - 1]) {
      const id = idAt('evt', time);
      expect(readId('evt', id)).toBe(id);
      expect(microsOf(id)).toBe(time);
    }
  });

  it('sorts by that time, and differs from another of the same', () => {
    expect(idAt('evt', micros) < idAt('evt', micros + 1)).toBe(true);
    expect(idAt('evt', micros)).not.toBe(idAt('evt', micros));
    expect(idAt('evt', micros, seededRandom(1))).toBe(idAt('evt', micros, seededRandom(1)));
  });

  it('gives the creation time of any id, for every prefix', () => {
    const before = Date.now() * 1000;
    expect(microsOf(newId('topup', Date.now()))).toBeGreaterThanOrEqual(before);
    expect(microsOf(idFloor('aud', 1_763_000_000_123))).toBe(1_763_000_000_123_000);
  });
});

describe('reading an id', () => {
  it.each([
    '',
    'usr_',
    'usr_short',
    'usr_00000000000000000000000000 ',
    'usr_0000000000000000000000000I',
    'USR_00000000000000000000000000',
    "usr_' or 1=1 --                  ",
  ])('refuses %j', (text) => expect(readId('usr', text)).toBeUndefined());

  it('takes any id of the right shape, made here or not', () => {
    expect(readId('usr', 'usr_00000000000000000000000000')).toBeDefined();
  });
});
