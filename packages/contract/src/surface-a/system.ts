//! How the deployment is: dependencies, queues, versions.
import { SystemView } from '#console-records';
import { endpoint } from '#endpoint';

export const systemEndpoints = {
  getSystem: endpoint('getSystem', 'GET', '/system', {
    scope: 'read',
    origin: 'ours',
    summary: 'Tell how dependencies are, what waits in the queues, and which versions run',
    success: { status: 200, data: SystemView },
  }),
};
