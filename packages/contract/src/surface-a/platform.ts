//! What anyone may read: configuration and health.
import { endpoint } from '#endpoint';
import { ConfigView, HealthDetailView, HealthView } from '#records';

export const platformEndpoints = {
  getConfig: endpoint('getConfig', 'GET', '/config', {
    scope: 'public',
    summary: 'Tell currencies, limits, fee rate, features and version',
    success: { status: 200, data: ConfigView },
  }),
  getHealth: endpoint('getHealth', 'GET', '/health', {
    scope: 'public',
    summary: 'Tell whether the service answers',
    success: { status: 200, data: HealthView },
  }),
  getDetailedHealth: endpoint('getDetailedHealth', 'GET', '/health/detailed', {
    scope: 'public',
    summary: 'Tell how each part is',
    success: { status: 200, data: HealthDetailView },
  }),
};
