//! The public, read-only sites that the api process serves beside its surfaces.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import type { ErrorCode } from '#errors';

/** A row stands for everything below its path. */
export const sites = {
  readDocs: endpoint('readDocs', 'GET', '/docs', {
    scope: 'public',
    summary: 'Read the documentation',
    success: { status: 200, data: Type.String() },
    rawResponse: 'file',
    origin: 'ours',
  }),
  openConsole: endpoint('openConsole', 'GET', '/console', {
    scope: 'public',
    summary: 'Open the console',
    success: { status: 200, data: Type.String() },
    rawResponse: 'file',
    origin: 'ours',
  }),
};

/** The page with the cause of an error and advice, for the header `Link` of an error response. */
export function errorPageOf(code: ErrorCode): string {
  return `${sites.readDocs.path}/reference/errors/${code.toLowerCase()}/`;
}
