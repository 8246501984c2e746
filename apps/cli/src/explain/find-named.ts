//! Finds what a name that is no id of ours belongs to: a reference, an e-mail address, a hash, an
//! address or a contract of the network.
import type { Holdfast } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';

/** The id of what has this name, of those that a story is known of. */
export async function findNamed(
  holdfast: Holdfast,
  name: string,
  hasStory: (id: string) => boolean,
): Promise<string> {
  const { hits } = await holdfast.search.find({ q: name });
  // The service also finds what only begins with it, for people who are still typing.
  const isIt = (matched: string) => matched.toLowerCase() === name.toLowerCase();
  const found = hits.find(({ matched, goTo }) => isIt(matched) && hasStory(goTo.id));
  if (found !== undefined) return found.goTo.id;
  throw new CommandFault(`nothing is known by ${name}`, {
    exit: 'notFound',
    code: 'NOT_FOUND',
    cure: 'look in another marketplace, or by an id of ours (ord_…, usr_…)',
  });
}
