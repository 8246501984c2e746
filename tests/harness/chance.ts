//! Chance that can be had again from its seed.
import { seededRandom } from '@holdfast/kernel/random';

export interface Chance {
  /** A whole number from 0 up to, not including, the bound. */
  below: (bound: number) => number;
  /** True this many times in a hundred. */
  percent: (share: number) => boolean;
  oneOf: <T>(choices: readonly T[]) => T;
  shuffled: <T>(things: readonly T[]) => T[];
}

/** Everyone draws from a sequence of their own, so that nobody's luck depends on who came first. */
export function chanceOf(seed: number, who: number): Chance {
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
