//! Canceled before there is an escrow, with and without a reservation.
import { cancel, road } from '../actions.ts';
import { create, expectEnd, type Life, type Next, walk } from '../life.ts';

const never: Next = () => 'end';

export async function cancelAtOnce(life: Life): Promise<void> {
  const order = await create(life);
  const next = road({ created: cancel, atWork: never });
  expectEnd(life, await walk(life, order, next), 'CANCELED');
}

export async function cancelReserved(life: Life): Promise<void> {
  const order = await create(life);
  const next = road({ reserved: cancel, atWork: never });
  expectEnd(life, await walk(life, order, next), 'CANCELED');
}
