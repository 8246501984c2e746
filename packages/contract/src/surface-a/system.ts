//! The state of the deployment: dependencies, queues, versions.

import { ownEndpoint } from '#endpoint';
import { SystemView } from '#records/console-records';

export const systemEndpoints = {
  getSystem: ownEndpoint('getSystem', 'GET', '/system', {
    scope: 'read',
    summary: 'Get dependency health, queue lengths and running versions',
    success: { status: 200, data: SystemView },
  }),
};
