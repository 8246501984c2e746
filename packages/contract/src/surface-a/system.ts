//! The state of the deployment: dependencies, queues, versions.

import { endpoint } from '#endpoint';
import { SystemView } from '#records/console-records';

export const systemEndpoints = {
  getSystem: endpoint('getSystem', 'GET', '/system', {
    scope: 'read',
    origin: 'ours',
    summary: 'Get dependency health, queue lengths and running versions',
    success: { status: 200, data: SystemView },
  }),
};
