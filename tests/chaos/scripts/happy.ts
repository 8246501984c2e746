//! Created, reserved, deployed, funded, completed, released.
import { completeThen, release, road } from '../actions.ts';
import { create, expectEnd, type Life, walk } from '../life.ts';

export async function happy(life: Life): Promise<void> {
  const order = await create(life);
  const ended = await walk(life, order, road({ atWork: completeThen(release) }));
  expectEnd(life, ended, 'RELEASED');
}
