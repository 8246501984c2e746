//! Random choices that can be reproduced from a seed.
import { seededRandom } from '@holdfast/kernel/random';

export interface SeededRandom {
  /** A whole number from 0 up to, not including, the bound. */
  below: (bound: number) => number;
  /** True in this percentage of calls. */
  percent: (share: number) => boolean;
  oneOf: <T>(choices: readonly T[]) => T;
  shuffled: <T>(things: readonly T[]) => T[];
}

/** Each stream has its own sequence, so that its choices do not depend on the order of calls. */
export function randomOf(seed: number, who: number): SeededRandom {
  const random = seededRandom(seed * 1009 + who);
  const number = new Uint32Array(1);
  const below = (bound: number) => {
    random.fill(new Uint8Array(number.buffer));
    return (number[0] ?? 0) % bound;
  };
  return {
    below,
    percent: (share) => below(100) < share,
    oneOf: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error('nothing to choose from');
      return choice;
    },
    shuffled: (things) => {
      const left = [...things];
      return things.flatMap(() => left.splice(below(left.length), 1));
    },
  };
}
