import { describe, expect, it } from 'vitest';
import { Throttle } from '#app/throttle.ts';

/** A clock that advances as far as the test says, and runs the timers that become due. */
function handClock() {
  let time = 0;
  let planned: { at: number; run: () => void }[] = [];
  return {
    now: () => time,
    later: (run: () => void, ms: number) => planned.push({ at: time + ms, run }),
    goTo(end: number) {
      for (;;) {
        const next = planned.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        planned = planned.filter((one) => one !== next);
        time = next.at;
        next.run();
      }
      time = end;
    },
  };
}

function watch(gap: (name: string) => number = () => 1000) {
  const clock = handClock();
  const seen: [number, string][] = [];
  const take = (name: string) => {
    seen.push([clock.now(), name]);
  };
  return { clock, seen, throttle: new Throttle<string>(gap, take, clock) };
}

describe('a throttle', () => {
  it('hands the first mark on at once', () => {
    const { clock, seen, throttle } = watch();
    throttle.mark('Order');
    clock.goTo(0);
    expect(seen).toEqual([[0, 'Order']]);
  });

  it('makes 200 marks in a second into two refreshes', () => {
    const { clock, seen, throttle } = watch();
    for (let at = 0; at < 1000; at += 5) {
      clock.goTo(at);
      throttle.mark('Order');
    }
    clock.goTo(5000);
    expect(seen).toEqual([
      [0, 'Order'],
      [1000, 'Order'],
    ]);
  });

  it('never loses the last mark', () => {
    const { clock, seen, throttle } = watch();
    throttle.mark('Order');
    clock.goTo(10);
    throttle.mark('Order');
    clock.goTo(60_000);
    expect(seen.at(-1)).toEqual([1000, 'Order']);
  });

  it('has a gap for each name, and none waits for another', () => {
    const { clock, seen, throttle } = watch((name) => (name === 'Home' ? 5000 : 1000));
    throttle.mark('Home');
    throttle.mark('Order');
    clock.goTo(1);
    throttle.mark('Home');
    throttle.mark('Order');
    clock.goTo(20_000);
    expect(seen).toEqual([
      [0, 'Home'],
      [0, 'Order'],
      [1000, 'Order'],
      [5000, 'Home'],
    ]);
  });
});
