//! Creates a project: POST /projects.
import { newId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Call, MemberActor } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { insertProject, type Project } from './project.ts';

export interface NewProject {
  readonly title: string;
  readonly description: string;
  readonly budget: Money;
}

export async function createProject(
  app: Transactor,
  call: Call<MemberActor>,
  { title, description, budget }: NewProject,
): Promise<Project> {
  return transact(app, call, async (tx) => {
    const project: Project = {
      id: newId('prj', tx.now),
      ownerId: call.actor.id,
      title,
      description,
      budget,
      status: 'open',
      orderId: null,
      escrowId: null,
      createdAt: tx.now,
    };
    await insertProject(tx, project);
    await audit(tx, {
      action: 'PROJECT_CREATED',
      resourceId: project.id,
      after: { title, budget: budget.text, currency: budget.currency },
    });
    return project;
  });
}
