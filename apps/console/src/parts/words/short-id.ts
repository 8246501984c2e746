//! Shortens an id: its start shows the type, its end distinguishes it from others.

const OUR_ID = /^(.*?[a-z]+_)([0-9a-z]{19})([0-9a-z]{8}.*)$/;
const OTHER = /^(\S{4})(\S{11,})(\S{8})$/;

export interface ShortId {
  readonly head: string;
  /** Empty where the whole is short enough. */
  readonly middle: string;
  readonly tail: string;
}

/** Our ids start with the time, so that their ends differ most; an account's name contains one. */
export function shortId(id: string): ShortId {
  const [, head = id, middle = '', tail = ''] = OUR_ID.exec(id) ?? OTHER.exec(id) ?? [];
  return { head, middle, tail };
}
