//! Finds the record behind a name that is no id of ours: a reference, an e-mail address, a hash, an
//! address or a contract of the network.
import type { Holdfast } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';

/** The id of the record with this name, of the types that `explain` supports. */
export async function findNamed(
  holdfast: Holdfast,
  name: string,
  canExplain: (id: string) => boolean,
): Promise<string> {
  const { hits } = await holdfast.search.find({ q: name });
  // The service also finds names that only start with it, for people who are still typing.
  const isIt = (matched: string) => matched.toLowerCase() === name.toLowerCase();
  const found = hits.find(({ matched, goTo }) => isIt(matched) && canExplain(goTo.id));
  if (found !== undefined) return found.goTo.id;
  throw new CommandFault(`no record matches ${name}`, {
    exit: 'notFound',
    code: 'NOT_FOUND',
    fix: 'check the marketplace, or use a Holdfast id (ord_…, usr_…)',
  });
}
