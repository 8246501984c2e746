//! Prints where a word of the contract is declared and used: `npm run where -- INVALID_STATE`.
import { globSync, readFileSync } from 'node:fs';
import { auditActions } from '@holdfast/contract/audit-actions';
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { errors, isErrorCode, statusOf } from '@holdfast/contract/errors';
import { events, isEventName } from '@holdfast/contract/events';
import { type Machine, statesOf } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { ROOT } from './generate.ts';

const SOURCES = ['packages/*/src/**/*.{ts,sql}', 'apps/*/src/**/*.{ts,sql}'];
const LINES_MAX = 40;

const endpoints: readonly Endpoint[] = [...Object.values(surfaceA), ...Object.values(surfaceB)];

/** The contract's facts about a word, one line each. */
export function declaredAs(word: string): string[] {
  return [
    ...(isErrorCode(word)
      ? [`error ${statusOf(word)}, retry ${errors[word].retry}: ${errors[word].message}`]
      : []),
    ...(isEventName(word)
      ? [`event of ${events[word].aggregateType}: ${events[word].description}`]
      : []),
    ...Object.entries(auditActions)
      .filter(([name]) => name === word)
      .map(([, row]) => `audit action on ${row.resourceType}: ${row.description}`),
    ...Object.values<Machine>(machines).flatMap((machine) => inMachine(machine, word)),
    ...endpoints.filter((one) => mentions(one, word)).map(asLine),
  ];
}

function inMachine(machine: Machine, word: string): string[] {
  const state = statesOf(machine).includes(word)
    ? [`state of ${machine.name}: ${machine.states[word]}`]
    : [];
  const moves = Object.entries(machine.moves)
    .filter(([name, { from, to, emits }]) => [name, ...from, to, ...emits].includes(word))
    .map(([name, { from, to }]) => `move ${machine.name}.${name}: ${from.join(' | ')} → ${to}`);
  return [...state, ...moves];
}

function mentions(one: Endpoint, word: string): boolean {
  return [one.id, one.path, ...errorsOf(one), ...one.emits].includes(word);
}

function asLine(one: Endpoint): string {
  return `endpoint ${one.id}: ${one.method} ${one.path} (${one.scope})`;
}

/** Every line of the sources that has the word as a word. */
export function usedIn(word: string): string[] {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\w.])${escaped}(?![\\w])`);
  return globSync(SOURCES, { cwd: ROOT, exclude: ['**/migrations/*_functions.sql'] })
    .sort()
    .flatMap((file) =>
      readFileSync(`${ROOT}${file}`, 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
}

function report(word: string): string {
  const declared = declaredAs(word);
  const used = usedIn(word);
  const shown = used.slice(0, LINES_MAX).map((line) => `  ${line.slice(0, 140)}`);
  const rest = used.length > LINES_MAX ? [`  … and ${used.length - LINES_MAX} more`] : [];
  const head = declared.length > 0 ? declared : ['not a word of the contract'];
  return [
    word,
    ...head.map((line) => `  ${line}`),
    `used in ${used.length} lines`,
    ...shown,
    ...rest,
  ].join('\n');
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const usage = 'npm run where -- INVALID_STATE (a code, event, state, path, operation or table)';
  process.stdout.write(`${words.length > 0 ? words.map(report).join('\n\n') : usage}\n`);
}
