//! Public endpoints: configuration and health.
import { endpoint } from '#endpoint';
import { ConfigView, HealthDetailView, HealthView } from '#records';

export const platformEndpoints = {
  getConfig: endpoint('getConfig', 'GET', '/config', {
    scope: 'public',
    summary: 'Get currencies, limits, fee rate, features and version',
    success: { status: 200, data: ConfigView },
  }),
  getHealth: endpoint('getHealth', 'GET', '/health', {
    scope: 'public',
    summary: 'Get the liveness of the service',
    success: { status: 200, data: HealthView },
  }),
  getDetailedHealth: endpoint('getDetailedHealth', 'GET', '/health/detailed', {
    scope: 'public',
    summary: 'Get the health of each component',
    success: { status: 200, data: HealthDetailView },
  }),
};
