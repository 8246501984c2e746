//! An auditor wants the history of the users; the archive has it.
import { readdirSync } from 'node:fs';
import { createUsers } from '../../../harness/people.ts';
import { read, type Situation, until } from '../situation.ts';

export const auditRequest: Situation = {
  start: async (one) => {
    const { set, post } = one;
    await createUsers(post, 'audited', 3);
    await until(async () => (await read(one, '/audit/logs?resourceType=User')).length > 2);
    const { folder, keyFile } = set.archive;
    const heads = () => readdirSync(folder).filter((name) => name.startsWith('head-')).length;
    const before = heads();
    // A worker archives when it starts, and then once a minute.
    set.workers.push(await set.set.startWorker());
    await until(async () => heads() > before);
    return { ARCHIVE: folder, KEYFILE: keyFile };
  },
};
