//! Reads a JSON body strictly: bounded in depth, keys and text, no key twice, no poisoned
//! prototype.
import { refuseField } from '@holdfast/contract/validation';

const JSON_LIMITS = { depthMax: 8, keysMax: 500, textMax: 2000 } as const;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/**
 * The value, or undefined for no body at all. Refuses every doubtful body with VALIDATION_ERROR.
 */
export function readJson(text: string): unknown {
  if (text.length === 0) return undefined;
  const keys = countKeys(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('body must be valid JSON');
  }
  const counted = { keys: 0 };
  inspect(value, 1, counted);
  // JSON.parse keeps the last of two equal keys, so the count shows a dropped one.
  if (counted.keys !== keys) invalid('body must not have the same key twice');
  return value;
}

function invalid(fault: string): never {
  return refuseField('body', 'malformed', fault);
}

/** Keys as written: a string that a colon follows. */
function countKeys(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 58) keys += 1;
    if (code !== 34) continue;
    for (at += 1; at < text.length; at += 1) {
      const inside = text.charCodeAt(at);
      if (inside === 92) at += 1;
      else if (inside === 34) break;
    }
  }
  return keys;
}

function inspect(value: unknown, depth: number, counted: { keys: number }): void {
  if (typeof value === 'string') inspectText(value);
  if (value === null || typeof value !== 'object') return;
  if (depth > JSON_LIMITS.depthMax)
    invalid(`body must not be nested deeper than ${JSON_LIMITS.depthMax}`);
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, depth + 1, counted);
    return;
  }
  for (const key of Object.keys(value)) {
    counted.keys += 1;
    if (counted.keys > JSON_LIMITS.keysMax)
      invalid(`body must have at most ${JSON_LIMITS.keysMax} keys`);
    if (FORBIDDEN_KEYS.has(key)) invalid(`${key} is not allowed as a key`);
    inspectText(key);
    inspect((value as Record<string, unknown>)[key], depth + 1, counted);
  }
}

function inspectText(text: string): void {
  if (text.length > JSON_LIMITS.textMax)
    invalid(`a string must have at most ${JSON_LIMITS.textMax} characters`);
  if (LONE_SURROGATE.test(text)) invalid('a string must be well-formed Unicode');
}
