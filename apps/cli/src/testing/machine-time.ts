//! Measures the time in which this machine ran. Where a host gives a virtual machine no processor
//! for seconds, the time of day advances while no code can run: bounds are measured in this.
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const BEAT_MS = 20;
/** A beat that comes later says that nothing ran, and counts for no more than this. */
const BEAT_MS_MAX = 100;

/** A thread of its own: when our own code keeps this one busy, that counts. */
const THREAD = `
  const { ranMicros, pause } = require('node:worker_threads').workerData;
  let last = performance.now();
  for (;;) {
    Atomics.wait(pause, 0, 0, ${BEAT_MS});
    const now = performance.now();
    Atomics.add(ranMicros, 0, BigInt(Math.round(Math.min(now - last, ${BEAT_MS_MAX}) * 1000)));
    last = now;
  }`;

let counter: BigInt64Array | undefined;

function startCounter(): BigInt64Array {
  const ranMicros = new BigInt64Array(new SharedArrayBuffer(8));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  new Worker(THREAD, { eval: true, execArgv: [], workerData: { ranMicros, pause } }).unref();
  return ranMicros;
}

/** Returns a function that gives the milliseconds in which the machine has run since. */
export async function startWatch(): Promise<() => number> {
  counter ??= startCounter();
  const ranMicros = counter;
  while (Atomics.load(ranMicros, 0) === 0n) await sleep(1);
  const startMicros = Atomics.load(ranMicros, 0);
  return () => Number(Atomics.load(ranMicros, 0) - startMicros) / 1000;
}
