//! A part of a bench in its own process, so that it never delays the measuring process.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The functions of a helper, by name. */
type Skills = Readonly<Record<string, (order: never) => unknown>>;

export interface Helper<Known extends Skills> extends Disposable {
  readonly pid: number;
  /** One at a time. */
  call<Name extends keyof Known & string>(
    name: Name,
    ...order: Parameters<Known[Name]>
  ): Promise<Awaited<ReturnType<Known[Name]>>>;
}

interface Reply {
  readonly result?: unknown;
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
    call: async (name, ...[order]) => {
      const replied = new Promise<Reply>((resolve, reject) => {
        waiting = { resolve, reject };
      });
      child.send({ name, order });
      const { result, fault } = await replied;
      if (fault !== undefined) throw new Error(fault);
      return result as never;
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}

/** The helper's own side. */
export function serve(skills: Skills): void {
  const run = async ({ name, order }: { name: string; order: unknown }) =>
    skills[name]?.(order as never);
  process.on('message', (message: { name: string; order: unknown }) => {
    run(message).then(
      (given) => process.send?.({ result: given }),
      (error: unknown) => process.send?.({ fault: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
