//! Finds what a name that is no id of ours belongs to: a reference, an e-mail address, a hash, an
//! address or a contract of the network. Newest first, as far back as is bearable.
import type { Holdfast, List } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';

const RECORDS_MAX = 1000;
const TIMELINES_MAX = 40;

type Tell = (where: string) => void;

/** The id that it leads to. */
export async function search(holdfast: Holdfast, text: string, tell: Tell): Promise<string> {
  const found = /^[0-9a-f]{64}$/.test(text)
    ? await byHash(holdfast, text, tell)
    : ((await inOrders(holdfast, text, tell)) ?? (await inUsers(holdfast, text, tell)));
  if (found !== undefined) return found;
  throw new CommandFault(`nothing is known by ${text}`, {
    exit: 'notFound',
    code: 'NOT_FOUND',
    cure: `looked at the newest ${RECORDS_MAX}; an id of ours (ord_…, usr_…) is always found`,
  });
}

async function firstId<T extends { readonly id: string }>(
  list: List<T>,
  isIt: (one: T) => boolean,
): Promise<string | undefined> {
  let seen = 0;
  for await (const one of list) {
    seen += 1;
    if (isIt(one)) return one.id;
    if (seen >= RECORDS_MAX) break;
  }
  return undefined;
}

function inOrders(holdfast: Holdfast, text: string, tell: Tell) {
  tell('orders');
  return firstId(
    holdfast.orders.list({ limit: 100 }),
    ({ clientOrderRef, escrow }) =>
      clientOrderRef === text || escrow?.id === text || escrow?.providerContractId === text,
  );
}

function inUsers(holdfast: Holdfast, text: string, tell: Tell) {
  tell('users');
  return firstId(holdfast.users.list({ limit: 100 }), (user) =>
    [user.externalUserId, user.email, user.ledgerAddress, user.paymentAccountUserId].includes(text),
  );
}

/** A transaction of the network: of a withdrawal, or of an order's escrow. */
async function byHash(holdfast: Holdfast, hash: string, tell: Tell): Promise<string | undefined> {
  tell('withdrawals');
  const withdrawals = holdfast.withdrawals.list({ limit: 100 });
  const paid = await firstId(withdrawals, ({ transactionHash }) => transactionHash === hash);
  if (paid !== undefined) return paid;
  for (const { id, title } of await holdfast.orders.list({ limit: 40 }).toArray(TIMELINES_MAX)) {
    tell(`the timeline of ${title}`);
    const items = await holdfast.orders.timeline(id, { limit: 100 }).toArray(TIMELINES_MAX * 10);
    if (items.some(({ detail }) => Object.values(detail).includes(hash))) return id;
  }
  return undefined;
}
