//! Search by any id: ours, the caller's, a provider's, the network's, or an e-mail address.

import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { closed } from '#fields';
import { SearchView } from '#records/console-records';

export const searchEndpoints = {
  search: ownEndpoint('search', 'GET', '/search', {
    scope: 'read',
    summary: 'Search by id, reference, hash, address or email, or the start of one',
    query: closed({ q: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\u0000]*$' }) }),
    success: { status: 200, data: SearchView },
  }),
};
