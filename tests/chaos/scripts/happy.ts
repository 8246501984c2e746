//! Created, reserved, deployed, funded, worked on, released.
import { completeThen, release, road } from '../deeds.ts';
import { create, expectEnd, type Life, walk } from '../life.ts';

export async function happy(life: Life): Promise<void> {
  const order = await create(life);
  const ended = await walk(life, order, road({ atWork: completeThen(release) }));
  expectEnd(life, ended, 'RELEASED');
}
