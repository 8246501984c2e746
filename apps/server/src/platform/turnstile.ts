//! Lets so many in at once, and the others in their turn.

export interface Turnstile {
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function turnstile(atOnce: number): Turnstile {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    async pass(work) {
      if (inside >= atOnce) await new Promise<void>((enter) => waiting.push(enter));
      else inside += 1;
      try {
        return await work();
      } finally {
        // The place is handed on, or given back.
        const next = waiting.shift();
        if (next === undefined) inside -= 1;
        else next();
      }
    },
  };
}
