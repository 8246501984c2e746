//! A "no" for the person in front of the browser.

export class Refusal extends Error {
  readonly status: number;

  constructor(status: 400 | 403 | 404 | 409 | 503, words: string) {
    super(words);
    this.status = status;
  }
}

/** Somebody else's order does not exist for you: the answer must not tell that it does. */
export function notFound(): never {
  throw new Refusal(404, 'There is nothing here.');
}
