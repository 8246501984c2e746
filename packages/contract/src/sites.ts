//! The public, read-only sites that the api process serves beside its surfaces.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import type { ErrorCode } from '#errors';

/** A row stands for everything below its path. */
export const sites = {
  readDocs: ownEndpoint('readDocs', 'GET', '/docs', {
    scope: 'public',
    summary: 'Read the documentation',
    success: { status: 200, data: Type.String() },
    rawResponse: 'file',
  }),
  openConsole: ownEndpoint('openConsole', 'GET', '/console', {
    scope: 'public',
    summary: 'Open the console',
    success: { status: 200, data: Type.String() },
    rawResponse: 'file',
  }),
};

/** The page with the cause of an error and advice, for the header `Link` of an error response. */
export function errorPageOf(code: ErrorCode): string {
  return `${sites.readDocs.path}/reference/errors/${code.toLowerCase()}/`;
}
