//! Lints an OpenAPI document with Redocly, by the rules in redocly.yaml.
import { fileURLToPath } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';

const RULES = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));

/** Errors and warnings, each with its location; none when the document is sound. */
export async function problemsOf(document: string): Promise<string[]> {
  const config = await loadConfig({ configPath: RULES });
  const problems = await lintFromString({ source: document, config });
  return problems.map(({ ruleId, message, location: [at] }) =>
    [ruleId, at?.pointer, message].join(' '),
  );
}
