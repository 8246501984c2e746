//! Starts the services of a compose file in their order and under their conditions, and starts
//! those again that end although they should run.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGone } from '../../../apps/cli/src/children.ts';
import { print } from '../../harness/report.ts';
import { within } from '../../harness/wait.ts';
import { type Condition, type Service, startOrder } from './compose-file.ts';
import { type Containers, innermost } from './containers.ts';
import { PROGRAMS, succeeds } from './programs.ts';
import { mapped, type Project } from './project.ts';

const TRIES_MAX = 5;
const HEALTHY_MS_MAX = 240_000;

export class Player implements AsyncDisposable {
  readonly #running = new Map<string, ChildProcess>();
  readonly #starts = new Map<string, Promise<void>>();
  readonly #project: Project;
  readonly #containers: Containers;

  constructor(project: Project, containers: Containers) {
    this.#project = project;
    this.#containers = containers;
  }

  /** All of them, each as soon as those that it needs are as it wants them. */
  async up(): Promise<void> {
    const { services } = this.#project.file;
    for (const name of startOrder(this.#project.file)) {
      const needs = Object.entries((services[name] as Service).depends_on ?? {});
      const ready = needs.map(([needed, { condition }]) => this.#waitFor(needed, condition));
      this.#starts.set(
        name,
        Promise.all(ready).then(() => this.#start(name)),
      );
    }
    await Promise.all(this.#starts.values());
  }

  async #start(name: string): Promise<void> {
    const startedAt = performance.now();
    const start = PROGRAMS[name];
    const child = start ? await start(this.#project) : this.#containers.start(name);
    this.#running.set(name, child);
    if (this.#project.file.services[name]?.healthcheck?.test) await this.healthy(name);
    print(`  ${name.padEnd(12)} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }

  async #waitFor(name: string, condition: Condition): Promise<void> {
    await this.#starts.get(name);
    if (condition === 'service_completed_successfully') await this.completed(name);
  }

  /** A service that is restarted on failure gets some more tries. */
  async completed(name: string): Promise<void> {
    const { restart } = this.#project.file.services[name] as Service;
    for (let tries = restart === 'on-failure' ? TRIES_MAX : 1; ; tries -= 1) {
      const child = this.#running.get(name) as ChildProcess;
      if (!isGone(child)) await once(child, 'exit');
      if (child.exitCode === 0) return;
      if (tries <= 1) throw new Error(`${name} failed:\n${this.logOf(name)}`);
      this.#running.set(name, this.#containers.start(name));
    }
  }

  async healthy(name: string): Promise<void> {
    const isHealthy = async () => {
      const child = this.#running.get(name) as ChildProcess;
      if (isGone(child)) throw new Error(`${name} ended:\n${this.logOf(name)}`);
      return this.#check(name);
    };
    if (!(await within(HEALTHY_MS_MAX, isHealthy, 500)))
      throw new Error(`${name} is not healthy:\n${this.logOf(name)}`);
  }

  /** The test of the compose file, at the address of the service. */
  async #check(name: string): Promise<boolean> {
    const [, ...test] = this.#project.file.services[name]?.healthcheck?.test ?? [];
    const address = this.#project.addressOf(name);
    const command = test.map((arg) => arg.replaceAll('127.0.0.1', address));
    if (PROGRAMS[name] === undefined) {
      // The command starts a process each time: only when it can succeed.
      if (/^(api|worker)-/.test(name) && !(await isReady(`http://${address}:4401/ready`)))
        return false;
      const child = this.#containers.start(name, command);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code === 0;
    }
    const mounts = this.#project.mountsOf(name);
    const [program = '', ...args] = command.map((arg) => mapped(arg, mounts));
    const env = { ...process.env, PGHOST: mapped('/var/run/postgresql', mounts) };
    return succeeds(() =>
      execFileSync(program.replace('valkey-cli', 'redis-cli'), args, { env, stdio: 'ignore' }),
    );
  }

  logOf(name: string): string {
    return readFileSync(join(this.#project.folder, `${name}.log`), 'utf8').slice(-3000);
  }

  /** The log lines of a process of ours that are warnings or worse. */
  warningsOf(name: string): string[] {
    const log = readFileSync(join(this.#project.folder, `${name}.log`), 'utf8');
    return log.split('\n').filter((line) => /^\{"level":[456]/.test(line));
  }

  /** Kills the process itself with SIGKILL, then starts the service again. */
  async killAndRestart(name: string): Promise<void> {
    const child = this.#running.get(name) as ChildProcess;
    const gone = once(child, 'exit');
    process.kill(innermost(child.pid as number), 'SIGKILL');
    await gone;
    this.#running.set(name, this.#containers.start(name));
  }

  /** Those with a port first; milliseconds that each of ours took to end after SIGTERM. */
  async down(): Promise<ReadonlyMap<string, number>> {
    const took = new Map<string, number>();
    for (const name of startOrder(this.#project.file).toReversed()) {
      const child = this.#running.get(name);
      if (child === undefined || isGone(child)) continue;
      const gone = once(child, 'exit');
      const startedAt = performance.now();
      const pid = PROGRAMS[name] ? (child.pid as number) : innermost(child.pid as number);
      process.kill(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
      await gone;
      took.set(name, performance.now() - startedAt);
    }
    return took;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }
}

async function isReady(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(10_000);
  return fetch(url, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
