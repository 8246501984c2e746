//! Builds the archive of the audit chains, with the signer of its heads.
import { type Config, ConfigurationFault } from '../platform/config/config.ts';
import { AuditArchive } from '../record/audit/audit-archive.ts';
import type { AuditExport } from '../record/audit/export-audit.ts';
import { localHeadSigner } from '../record/audit/head-signer.ts';

/** Undefined where no archive is configured. */
export function wireAuditExport(
  config: Pick<Config, 'HOLDFAST_AUDIT_EXPORT' | 'HOLDFAST_AUDIT_SIGNING_KEY'>,
): AuditExport | undefined {
  const { HOLDFAST_AUDIT_EXPORT: target, HOLDFAST_AUDIT_SIGNING_KEY: key } = config;
  if (target === undefined) return undefined;
  if (key === undefined)
    throw new ConfigurationFault([
      'HOLDFAST_AUDIT_SIGNING_KEY must be set with HOLDFAST_AUDIT_EXPORT',
    ]);
  const folder = target.slice('file:'.length);
  return { archive: new AuditArchive(folder), signer: localHeadSigner(key) };
}
