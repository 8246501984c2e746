//! Where a command writes: results to standard output, everything else to standard error.
import { type Progress, quietProgress, terminalProgress } from './progress.ts';
import { type Style, styleFor } from './style.ts';

export interface Terminal {
  /** Results are JSON: one value, or a value on each line of a stream. */
  readonly isJson: boolean;
  /** Of standard output. */
  readonly style: Style;
  /** Of standard error. */
  readonly stderrStyle: Style;
  /** Columns of standard output; a pipe has no end. */
  readonly width: number;
  readonly progress: Progress;
  /** Lines of the result. */
  print(...lines: readonly string[]): void;
  /** One JSON value: over several lines for a person, on one line otherwise. */
  printJson(value: unknown): void;
  /** The value where JSON is wanted, else the lines. */
  show(value: unknown, lines: () => readonly string[]): void;
  /** One line of a stream. */
  printJsonLine(value: unknown): void;
  /** Lines beside the result. */
  printStderr(...lines: readonly string[]): void;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const COLUMNS = { usual: 100, unlimited: 10_000 };

export function openTerminal({ stdout, stderr, env }: Streams, isJson: boolean): Terminal {
  const isTerminal = stdout.isTTY === true;
  const stderrStyle = styleFor(stderr.isTTY === true, env);
  const write = (stream: Stream, lines: readonly string[]) => {
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`);
  };
  const printJson = (value: unknown) =>
    write(stdout, [JSON.stringify(value, null, isTerminal ? 2 : undefined)]);
  return {
    isJson,
    style: isJson ? styleFor(false, {}) : styleFor(isTerminal, env),
    stderrStyle,
    width: isTerminal ? (stdout.columns ?? COLUMNS.usual) : COLUMNS.unlimited,
    progress:
      stderr.isTTY === true && !isJson ? terminalProgress(stderr, stderrStyle) : quietProgress,
    print: (...lines) => write(stdout, lines),
    printJson,
    show: (value, lines) => (isJson ? printJson(value) : write(stdout, lines())),
    printJsonLine: (value) => write(stdout, [JSON.stringify(value)]),
    printStderr: (...lines) => write(stderr, lines),
  };
}
