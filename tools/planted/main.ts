//! `npm run test:planted`: plants faults one at a time, and checks that a test finds each.
//!
//! For each fault, the tests that the import graph relates to it run, nearest first, until one
//! fails. A fault that only the compiler finds counts as missed. At the end those tests run without
//! a fault: a test that fails then as well has found nothing.
import { parseArgs } from 'node:util';
import { allTests, type Graph, nearestFirst, readGraph, relatedTests } from '../graph.ts';
import { startServices } from '../services.ts';
import { createCheckout } from './checkout.ts';
import { EDGE_FAULTS } from './edge-faults.ts';
import { type Fault, misfitOf, plant } from './fault.ts';
import { MONEY_FAULTS } from './money-faults.ts';
import { type Failure, type RunSettings, runTests } from './run-tests.ts';

const FAULTS: readonly Fault[] = [...MONEY_FAULTS, ...EDGE_FAULTS];
/** How many of thirty faults the tests may miss. */
const MISSED_MAX = 2;
/** Most faults are found by the nearest; the more come after it, the less a start costs. */
const BATCHES = [1, 4, 12, 60, Number.POSITIVE_INFINITY];
const WHOLE_MS_MAX = 45 * 60_000;

interface Verdict {
  readonly fault: Fault;
  readonly seconds: number;
  readonly found?: Failure;
  /** Why it was not found. */
  readonly missed?: string;
}

type Settings = Omit<RunSettings, 'msMax' | 'bail'> & { readonly faultMsMax: number };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      from: { type: 'string', default: '1' },
      base: { type: 'string', default: 'HEAD' },
      minutes: { type: 'string', default: '4' },
      workers: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const { only, from, base, minutes, workers, list } = values;
  const unknown = only?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`there is no fault ${unknown.join(', ')}`);
  const wanted = FAULTS.slice(Number(from) - 1).filter(({ name }) => only?.includes(name) ?? true);
  if (list) {
    for (const { name, file, why } of wanted) print(`${name.padEnd(28)} ${file}\n    ${why}`);
    return 0;
  }
  const services = await startServices();
  const checkout = createCheckout(base);
  const stop = () => process.exit(130);
  process
    .once('SIGINT', stop)
    .once('SIGTERM', stop)
    .once('exit', () => checkout.remove());
  try {
    return await tryAll(wanted, {
      root: checkout.root,
      env: { ...process.env, ...services.env },
      workers: workers === undefined ? undefined : Number(workers),
      faultMsMax: Number(minutes) * 60_000,
    });
  } finally {
    await services.stop();
  }
}

async function tryAll(faults: readonly Fault[], settings: Settings): Promise<number> {
  const startedAt = performance.now();
  const graph = readGraph(settings.root);
  const verdicts: Verdict[] = [];
  for (const fault of faults) {
    const leftMs = WHOLE_MS_MAX - (performance.now() - startedAt);
    const verdict = await tryOne(fault, graph, settings, leftMs);
    verdicts.push(verdict);
    print(lineOf(verdict));
  }
  const checked = await withoutFaults(verdicts, settings);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print('\nfault                        seconds  found by');
  for (const verdict of checked) print(lineOf(verdict));
  const missed = checked.filter(({ found }) => found === undefined).length;
  const found = checked.length - missed;
  const isGood = missed <= Math.floor((MISSED_MAX * checked.length) / FAULTS.length);
  print(`\n${found} found, ${missed} missed, in ${Math.round(seconds / 60)} minutes`);
  print(`${found} passed, ${missed} failed`);
  return isGood ? 0 : 1;
}

async function tryOne(
  fault: Fault,
  graph: Graph,
  settings: Settings,
  leftMs: number,
): Promise<Verdict> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const verdict = (rest: Pick<Verdict, 'found' | 'missed'>) => ({
    ...{ fault, seconds: Math.round(elapsed() / 1000) },
    ...rest,
  });
  const misfit = misfitOf(settings.root, fault);
  if (misfit !== undefined) return verdict({ missed: misfit });
  if (leftMs <= 0) return verdict({ missed: 'no time was left to try it' });
  const takeOut = plant(settings.root, fault);
  try {
    const msMax = Math.min(settings.faultMsMax, leftMs);
    const tests = testsFor(graph, fault);
    for (let [at, batch] = [0, 0]; at < tests.length; batch += 1) {
      const some = tests.slice(at, at + (BATCHES[batch] as number));
      at += some.length;
      const run = await runTests(some, { ...settings, bail: true, msMax: msMax - elapsed() });
      const [found] = run.kind === 'failed' ? run.failures : [];
      if (found !== undefined) return verdict({ found });
      if (run.kind === 'broken')
        return verdict({ missed: `${run.reason}, in the first ${at} test files` });
    }
    return verdict({ missed: `${tests.length} test files pass with it` });
  } finally {
    takeOut();
  }
}

/** The nearest first; where the graph does not know, all the others follow. */
function testsFor(graph: Graph, { file, near }: Fault): string[] {
  const all = allTests(graph);
  const first =
    near === undefined
      ? nearestFirst(graph, [file]).tests
      : all.filter((test) => test.startsWith(`${near}/`));
  return [...new Set([...first, ...(relatedTests(graph, [file]) === 'all' ? all : [])])];
}

async function withoutFaults(verdicts: readonly Verdict[], settings: Settings): Promise<Verdict[]> {
  const files = [...new Set(verdicts.flatMap(({ found }) => found?.file ?? []))];
  if (files.length === 0) return [...verdicts];
  const run = await runTests(files, { ...settings, bail: false, msMax: settings.faultMsMax * 3 });
  if (run.kind === 'broken')
    throw new Error(`the tests could not run without a fault: ${run.reason}`);
  const failing = run.kind === 'failed' ? run.failures.map(({ file }) => file) : [];
  return verdicts.map(({ found, ...rest }) => {
    if (found === undefined) return rest;
    return failing.includes(found.file)
      ? { ...rest, missed: `${found.file} fails without the fault, too` }
      : { ...rest, found };
  });
}

function lineOf({ fault, seconds, found, missed }: Verdict): string {
  const how = found === undefined ? `MISSED: ${missed}` : `${found.file}: ${found.test}`;
  return `${fault.name.padEnd(28)} ${String(seconds).padStart(7)}  ${how}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main();
