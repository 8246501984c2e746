//! What a command's exit code means: one table, which help and documents read.

interface ExitRow {
  readonly code: number;
  readonly means: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const EXITS = {
  ok: { code: 0, means: 'done; for a check: nothing is wrong' },
  failed: { code: 1, means: 'refused or failed; for a check: something is wrong' },
  usage: { code: 2, means: 'the command line is wrong, or a setting is missing' },
  unreachable: { code: 3, means: 'the server, its sandbox or its database does not answer' },
  notFound: { code: 4, means: 'there is no such thing here' },
  unknown: { code: 5, means: 'the outcome is not known yet: look before you repeat' },
  denied: { code: 6, means: 'the key is not accepted, or may not do this' },
  later: { code: 7, means: 'nothing was done; repeat later (busy, limited or paused)' },
  interrupted: { code: 130, means: 'ended by Ctrl-C' },
} as const satisfies Record<string, ExitRow>;

export type ExitName = keyof typeof EXITS;

export function isExitName(value: unknown): value is ExitName {
  return typeof value === 'string' && Object.hasOwn(EXITS, value);
}

/** For help: one line each. */
export function exitLines(): string[] {
  return Object.values(EXITS).map(({ code, means }) => `  ${String(code).padEnd(5)}${means}`);
}
