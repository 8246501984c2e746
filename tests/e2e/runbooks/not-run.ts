//! The commands of runbooks that no test can run here, and what runs them instead. A new one fails
//! the test until it is listed.

export interface NotRun {
  readonly lines: readonly string[];
  readonly why: string;
}

export const NOT_RUN: Readonly<Record<string, NotRun>> = {};
