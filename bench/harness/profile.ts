//! A CPU profile of a running process: which functions and packages its time under load went to.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableText } from '../../tests/harness/report.ts';
import { inspect } from './inspect.ts';
import type { Window } from './usage.ts';

/** Arguments of a process that can be profiled while it runs. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

const FUNCTIONS_SHOWN = 25;
const PACKAGES_SHOWN = 15;

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface CpuProfile {
  nodes: ProfileNode[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** Starts at once; ends with the tables of the time within the given windows. */
export async function startProfile(
  pid: number,
): Promise<(...windows: readonly Window[]) => Promise<string>> {
  const inspector = await inspect(pid);
  await inspector.startProfile();
  return async (...windows) => {
    try {
      return profileText((await inspector.stopProfile()) as CpuProfile, windows);
    } finally {
      inspector.close();
    }
  };
}

/** The functions with most time of their own, and the same by package. */
function profileText(profile: CpuProfile, windows: readonly Window[]): string {
  const selfMicros = selfTimes(profile, windows);
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  const callers = new Map<string, number>();
  const callerOf = findCallers(profile);
  for (const { id, callFrame } of profile.nodes) {
    const micros = selfMicros.get(id) ?? 0;
    if (micros === 0 || callFrame.functionName === '(idle)') continue;
    const location = locationOf(callFrame.url);
    const line = callFrame.url === '' ? '' : `:${callFrame.lineNumber + 1}`;
    add(functions, `${callFrame.functionName || '(anonymous)'}  ${location}${line}`, micros);
    add(packages, packageOf(callFrame.functionName, location), micros);
    add(callers, callerOf(id), micros);
  }
  const busy = [...functions.values()].reduce((sum, micros) => sum + micros, 0);
  const span = windows.reduce((sum, window) => sum + window.to - window.from, 0);
  const share = `busy ${((100 * busy) / span).toFixed(0)}% of ${(span / 1e6).toFixed(1)} s of load`;
  return [
    `${share}\n`,
    ranking('self time by function', functions, busy, FUNCTIONS_SHOWN),
    ranking('self time by package', packages, busy, PACKAGES_SHOWN),
    ranking('by package, with what Node did on its behalf', callers, busy, PACKAGES_SHOWN),
  ].join('\n');
}

/** A sample's own delta is the time since the sample before; it counts for the one it ends in. */
function selfTimes(profile: CpuProfile, windows: readonly Window[]): Map<number, number> {
  const micros = new Map<number, number>();
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    const isInside = windows.some((window) => at >= window.from && at < window.to);
    if (isInside) micros.set(id, (micros.get(id) ?? 0) + delta);
  }
  return micros;
}

/** Names the nearest package up the stack that is not Node's own. */
function findCallers(profile: CpuProfile): (id: number) => string {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map<number, number>();
  for (const { id, children = [] } of profile.nodes) {
    for (const child of children) parents.set(child, id);
  }
  return (id) => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName = '', url = '' } = nodes.get(at)?.callFrame ?? {};
      if (url.startsWith('file:')) return packageOf(functionName, locationOf(url));
      if (functionName === '(garbage collector)' || functionName === '(program)') {
        return functionName;
      }
    }
    return "Node's own HTTP, streams and event loop";
  };
}

function locationOf(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const inside = path.lastIndexOf('node_modules/');
  const root = join(import.meta.dirname, '../..');
  return inside >= 0 ? path.slice(inside + 'node_modules/'.length) : path.replace(`${root}/`, '');
}

function packageOf(functionName: string, location: string): string {
  if (location === '') return functionName.startsWith('(') ? functionName : '(native)';
  if (location.startsWith('node:')) return location.split('/').slice(0, 2).join('/');
  const depth = location.startsWith('apps/') ? 4 : location.startsWith('@') ? 2 : 1;
  return location.split('/').slice(0, depth).join('/');
}

function add(sums: Map<string, number>, name: string, micros: number): void {
  sums.set(name, (sums.get(name) ?? 0) + micros);
}

function ranking(title: string, sums: Map<string, number>, whole: number, top: number): string {
  const sorted = [...sums].toSorted((one, other) => other[1] - one[1]).slice(0, top);
  const rows = sorted.map(([name, micros]) => [
    name,
    `${(micros / 1000).toFixed(0)} ms`,
    `${((100 * micros) / whole).toFixed(1)}%`,
  ]);
  return tableText([[title, 'time', 'share'], ...rows]);
}
