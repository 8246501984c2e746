//! Figures for the first page of a console.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { closed } from '#fields';
import { HomeView } from '#records/insight-records';

export const insightEndpoints = {
  getHomeInsights: ownEndpoint('getHomeInsights', 'GET', '/insights/home', {
    scope: 'read',
    summary: 'Get items that need attention, held funds, volume, fees, funnel and provider health',
    query: closed({
      days: Type.Optional(
        Type.String({
          pattern: '^([1-9]|[1-8]\\d|90)$',
          description: 'Days of history, 1 to 90; default 30.',
          examples: ['30'],
        }),
      ),
    }),
    success: { status: 200, data: HomeView },
  }),
};
