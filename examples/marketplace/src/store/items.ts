//! The items that the shop sells.
import { all, type Database, first, run } from './database.ts';

export interface ItemMilestone {
  readonly ref: string;
  readonly title: string;
  readonly amount: string;
}

export interface Item {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** The id of the person who makes and sells it. */
  readonly seller: string;
  readonly price: string;
  readonly picture: string;
  /** A work that is paid for as a whole but approved in parts; empty for a thing. */
  readonly milestones: readonly ItemMilestone[];
}

type ItemRow = Omit<Item, 'milestones'> & { readonly milestones: string };

export function listItems(database: Database): Item[] {
  return all<ItemRow>(database, 'select * from item order by rowid').map(itemOf);
}

export function findItem(database: Database, id: string): Item | undefined {
  const row = first<ItemRow>(database, 'select * from item where id = ?', id);
  return row && itemOf(row);
}

export function saveItem(database: Database, item: Item): void {
  const { id, title, about, seller, price, picture, milestones } = item;
  run(
    database,
    `insert or ignore into item (id, title, about, seller, price, picture, milestones)
     values (?, ?, ?, ?, ?, ?, ?)`,
    ...[id, title, about, seller, price, picture, JSON.stringify(milestones)],
  );
}

function itemOf(row: ItemRow): Item {
  return { ...row, milestones: JSON.parse(row.milestones) as ItemMilestone[] };
}
