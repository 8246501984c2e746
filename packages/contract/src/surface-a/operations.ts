//! Operations: durable pieces of provider work that a request began.
import { endpoint } from '#endpoint';
import { closed, id } from '#fields';
import { OperationView } from '#records';

export const operationEndpoints = {
  getOperation: endpoint('getOperation', 'GET', '/operations/{id}', {
    scope: 'read',
    origin: 'ours',
    summary: 'Get an operation and its steps: what PROVIDER_TIMEOUT names',
    params: closed({ id: id('op') }),
    success: { status: 200, data: OperationView },
    errors: ['OPERATION_NOT_FOUND'],
  }),
};
