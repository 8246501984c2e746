//! The state of the deployment: dependencies, queues, versions.
import { SystemView } from '#console-records';
import { endpoint } from '#endpoint';

export const systemEndpoints = {
  getSystem: endpoint('getSystem', 'GET', '/system', {
    scope: 'read',
    origin: 'ours',
    summary: 'Get dependency health, queue lengths and running versions',
    success: { status: 200, data: SystemView },
  }),
};
