import { describe, expect, it } from 'vitest';
import { idFloor, newId, PREFIXES, type Prefix, readId } from '#ids';
import { seededRandom } from '#random';

describe('a new id', () => {
  it('is read back under its own prefix and no other', () => {
    for (const prefix of Object.keys(PREFIXES) as Prefix[]) {
      const id = newId(prefix);
      expect(readId(prefix, id)).toBe(id);
      expect(readId(prefix === 'usr' ? 'ord' : 'usr', id)).toBeUndefined();
    }
  });

  it('sorts after every id made before it, and never repeats, over a million', () => {
    let last = '';
    for (let count = 0; count < 1_000_000; count += 1) {
      const id = newId('usr');
      if (id <= last) throw new Error(`${id} came after ${last}`);
      last = id;
    }
  });

  it('carries eighty bits of chance behind its time', () => {
    const tails = [newId('ord', seededRandom(1)), newId('ord', seededRandom(2))].map((id) =>
      id.slice(-16),
    );
    expect(tails[0]).not.toBe(tails[1]);
    expect(tails[0]).toHaveLength(16);
    const everyBit = Array.from({ length: 2000 }, () => newId('ord').slice(-16)).join('');
    expect(new Set(everyBit).size).toBe(32);
  });

  it('lies between the floors of the instants around it', () => {
    const id = newId('aud');
    expect(id > idFloor('aud', Date.now() - 2000)).toBe(true);
    expect(id < idFloor('aud', Date.now() + 2000)).toBe(true);
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
