//! Pages for people that the api hands out beside its surfaces: public, read only, files.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';

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
