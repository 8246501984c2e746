//! Planted faults of the platform's audit chain, and of the clients that audit rows name.
import type { Fault } from './fault.ts';

const auditOf = (action: string) => `(select min(id) from audit where action = '${action}')`;
const entryOf = (request: string) => `(select id from entry where correlation_id = '${request}')`;

// biome-ignore format: a table.
export const CHAIN_FAULTS: readonly Fault[] = [
  { name: 'an address that was changed', by: ['I20'], names: `select ${entryOf('debit-ann')}`,
    plant: `update audit set address = '192.0.2.9' where correlation_id = 'debit-ann'` },
  { name: 'an address that was removed', by: ['I20'], names: `select ${entryOf('debit-ann')}`,
    plant: `update audit set address = null where correlation_id = 'debit-ann'` },
  { name: 'a user agent that was added', by: ['I20'], names: `select ${auditOf('ADJUSTMENT_LIMIT_SET')}`,
    plant: `update audit set user_agent = 'x' where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: "a changed row of the platform's chain", by: ['I20'], names: `select ${auditOf('OPERATOR_STATUS_SET')}`,
    plant: `update audit set reason = 'x' where action = 'OPERATOR_STATUS_SET'` },
  { name: "a deleted row of the platform's chain", by: ['I20'], names: `select ${auditOf('OPERATOR_STATUS_SET')}`,
    plant: `delete from audit where action = 'OPERATOR_STATUS_SET'` },
  { name: "a cut of the platform's chain", by: ['I20'], names: `select ${auditOf('OPERATOR_RESET')}`,
    plant: `delete from audit_link where marketplace_id = 0 and position = 3` },
];
