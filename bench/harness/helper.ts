//! A part of a bench in a process of its own, so that who measures and who asks wait for nobody.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a helper can be asked, by name. */
type Skills = Readonly<Record<string, (order: never) => unknown>>;

export interface Helper<Known extends Skills> {
  readonly pid: number;
  /** One at a time. */
  ask<Name extends keyof Known & string>(
    name: Name,
    ...order: Parameters<Known[Name]>
  ): Promise<Awaited<ReturnType<Known[Name]>>>;
  close(): void;
}

interface Reply {
  readonly answer?: unknown;
  readonly fault?: string;
}

/** `url`: the module that calls `serve`. */
export function startHelper<Known extends Skills>(url: string): Helper<Known> {
  const child = fork(fileURLToPath(url), [], {
    serialization: 'advanced', // Typed arrays go over as they are.
  });
  let waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  child.on('message', (reply: Reply) => waiting?.resolve(reply));
  child.once('exit', () => waiting?.reject(new Error(`${url} ended by itself`)));
  return {
    pid: child.pid ?? 0,
    ask: async (name, ...[order]) => {
      const replied = new Promise<Reply>((resolve, reject) => {
        waiting = { resolve, reject };
      });
      child.send({ name, order });
      const { answer, fault } = await replied;
      if (fault !== undefined) throw new Error(fault);
      return answer as never;
    },
    close: () => child.disconnect(),
  };
}

/** The helper's own side. */
export function serve(skills: Skills): void {
  const answer = async ({ name, order }: { name: string; order: unknown }) =>
    skills[name]?.(order as never);
  process.on('message', (asked: { name: string; order: unknown }) => {
    answer(asked).then(
      (given) => process.send?.({ answer: given }),
      (error: unknown) => process.send?.({ fault: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
