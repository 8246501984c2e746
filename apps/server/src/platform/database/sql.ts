//! SQL as a tagged template: values never enter the text, and each call site is prepared once.

export interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const prepared = new WeakMap<TemplateStringsArray, { name: string; text: string }>();
let count = 0;

/** sql`select … where id = ${id}`: one named statement per call site. */
export function sql(pieces: TemplateStringsArray, ...values: readonly unknown[]): Query {
  let known = prepared.get(pieces);
  if (known === undefined) {
    count += 1;
    const text = pieces.reduce((sum, piece, at) => `${sum}$${at}${piece}`);
    known = { name: `s${count}`, text };
    prepared.set(pieces, known);
  }
  return { ...known, values };
}
