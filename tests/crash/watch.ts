//! Times how soon after a strike the clients are served again.
import type { LogicalRequest } from './history.ts';

export interface Watch {
  struck: (requests: readonly LogicalRequest[]) => void;
  replacedBy: (url: string) => void;
  answered: (url: string, request: LogicalRequest) => void;
  /** Milliseconds from the strike to the first answer of each kind; absent when none came. */
  readonly times: WatchTimes;
}

export interface WatchTimes {
  /** A request that began after the strike. */
  newMs?: number;
  /** A request that the strike interrupted. */
  interruptedMs?: number;
  /** Any request, by the process that took the killed one's place. */
  successorMs?: number;
}

export function startWatch(): Watch {
  const times: WatchTimes = {};
  let struckAt: number | undefined;
  let before = new Set<LogicalRequest>();
  let successor: string | undefined;
  return {
    times,
    struck(requests) {
      struckAt = performance.now();
      before = new Set(requests);
    },
    replacedBy(url) {
      successor = url;
    },
    answered(url, request) {
      if (struckAt === undefined) return;
      const ms = performance.now() - struckAt;
      if (!before.has(request)) times.newMs ??= ms;
      if (request.interruption !== undefined) times.interruptedMs ??= ms;
      if (url === successor) times.successorMs ??= ms;
    },
  };
}
