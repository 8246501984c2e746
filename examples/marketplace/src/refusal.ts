//! An error to show to the person in the browser.

export class Refusal extends Error {
  readonly status: number;

  constructor(status: 400 | 403 | 404 | 409 | 503, words: string) {
    super(words);
    this.status = status;
  }
}

/** Another person's order is "not found": the response must not reveal that it exists. */
export function notFound(): never {
  throw new Refusal(404, 'Check the address, or go back to the shop.');
}
