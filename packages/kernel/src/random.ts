//! Randomness: one source for the whole process, and a seeded one for repeatable tests.

export interface Random {
  /** Fills the array and returns it. */
  fill(into: Uint8Array): Uint8Array;
}

const POOL_BYTES = 4096;

/**
 * The operating system's generator, read one page at a time: a call costs more than the bytes that
 * it returns.
 */
function pooled(): Random {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return {
    fill(into) {
      if (into.length > POOL_BYTES) {
        for (let at = 0; at < into.length; at += POOL_BYTES) {
          // The console reads this with a browser's types, which refuse memory that is shared.
          const page = into.subarray(at, at + POOL_BYTES) as Uint8Array<ArrayBuffer>;
          globalThis.crypto.getRandomValues(page);
        }
        return into;
      }
      if (used + into.length > POOL_BYTES) {
        globalThis.crypto.getRandomValues(pool);
        used = 0;
      }
      into.set(pool.subarray(used, used + into.length));
      pool.fill(0, used, used + into.length); // What was handed out does not linger in memory.
      used += into.length;
      return into;
    },
  };
}

export const systemRandom: Random = pooled();

export function randomBytes(count: number, random: Random = systemRandom): Uint8Array {
  return random.fill(new Uint8Array(count));
}

/** A repeatable sequence for tests and simulations (sfc32). Never for secrets. */
export function seededRandom(seed: number): Random {
  let [a, b, c, d] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const next = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 15; warmUp += 1) next();
  return {
    fill(into) {
      for (let at = 0; at < into.length; at += 1) into[at] = next() & 0xff;
      return into;
    },
  };
}
