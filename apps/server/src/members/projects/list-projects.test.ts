import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

it("lists the member's own projects, newest first, page by page", async () => {
  const [person, other] = [await world.person(), await world.person()];
  const created: string[] = [];
  for (let count = 0; count < 5; count += 1) created.unshift(await person.project());
  const idsOf = async (query: string) => {
    const { projects, pagination } = (await person.get(`/projects${query}`)).json.data;
    return [projects.map(({ id }: { id: string }) => id), pagination.total];
  };
  expect(await idsOf('')).toEqual([created, 5]);
  expect(await idsOf('?page=2&limit=2')).toEqual([created.slice(2, 4), 5]);
  expect(await idsOf('?page=9')).toEqual([[], 5]);
  expect((await other.get('/projects')).json.data.projects).toEqual([]);
  expect((await person.get('/projects?limit=1000')).json.data.pagination.limit).toBe(100);
});
