//! Measures how soon after a disruption the clients are served again.
import type { LogicalRequest } from './history.ts';

export interface Watch {
  onDisruption: (requests: readonly LogicalRequest[]) => void;
  replacedBy: (url: string) => void;
  onResponse: (url: string, request: LogicalRequest) => void;
  /** Milliseconds from the disruption to the first response of each kind; absent without one. */
  readonly times: WatchTimes;
}

export interface WatchTimes {
  /** A request that started after the disruption. */
  newMs?: number;
  /** A request that the disruption interrupted. */
  interruptedMs?: number;
  /** Any request, by the process that replaced the killed one. */
  successorMs?: number;
}

export function startWatch(): Watch {
  const times: WatchTimes = {};
  let hitAt: number | undefined;
  let before = new Set<LogicalRequest>();
  let successor: string | undefined;
  return {
    times,
    onDisruption(requests) {
      hitAt = performance.now();
      before = new Set(requests);
    },
    replacedBy(url) {
      successor = url;
    },
    onResponse(url, request) {
      if (hitAt === undefined) return;
      const ms = performance.now() - hitAt;
      if (!before.has(request)) times.newMs ??= ms;
      if (request.interruption !== undefined) times.interruptedMs ??= ms;
      if (url === successor) times.successorMs ??= ms;
    },
  };
}
