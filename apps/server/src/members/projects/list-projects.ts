//! Lists a member's own projects, newest first: GET /projects.
import type { Call, MemberActor } from '../../platform/call.ts';
import {
  type NumberedPage,
  type NumberedQuery,
  numberedPageOf,
} from '../../platform/database/numbered-page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { listProjectRows, type Project } from './project.ts';

export async function listProjects(
  app: Transactor,
  call: Call<MemberActor>,
  query: NumberedQuery,
): Promise<NumberedPage<Project>> {
  return read(app, call, (tx) =>
    numberedPageOf(query, (skip, count) => listProjectRows(tx, call.actor.id, skip, count)),
  );
}
