//! A shell that runs the blocks of a page one after another, so that a test can act between two of
//! them, as the outside world does.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { adopt } from '../../../apps/cli/src/children.ts';

const START = 'set -euo pipefail';
/** It only ends what hangs. */
const BLOCK_MS_MAX = 200_000;

export class Shell implements AsyncDisposable {
  readonly #bash: ChildProcess;
  #output = '';
  #errors = '';
  #isOver = false;
  #wake = () => {};

  constructor(folder: string, variables: Readonly<Record<string, string>>) {
    const env = { ...process.env, ...variables };
    this.#bash = adopt(spawn('bash', ['--norc', '-s'], { cwd: folder, env, stdio: 'pipe' }));
    this.#bash.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      this.#output += piece;
      this.#wake();
    });
    this.#bash.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#errors += piece;
    });
    this.#bash.once('close', () => {
      this.#isOver = true;
      this.#wake();
    });
    // A shell that has ended says so at the next block.
    this.#bash.stdin?.on('error', () => {});
    this.#bash.stdin?.write(`${START}\n`);
  }

  /** Returns what the commands print; throws if one fails. */
  async run(commands: string): Promise<string> {
    const mark = `=== ${randomUUID()}`;
    this.#output = '';
    this.#errors = '';
    // Commands that read their input would read the rest of the page.
    this.#bash.stdin?.write(`{\n${commands}\n} < /dev/null\nprintf '\\n%s\\n' '${mark}'\n`);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, BLOCK_MS_MAX);
    while (!this.#output.includes(mark)) {
      const wrong = this.#isOver ? 'a command failed' : isLate ? 'a command does not end' : '';
      if (wrong !== '') throw new Error(`${wrong}:\n${this.#output}\n${this.#errors}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(timer);
    return this.#output.slice(0, this.#output.indexOf(mark)).trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    const closed = once(this.#bash, 'close');
    this.#bash.kill('SIGKILL');
    await closed;
  }
}
