//! Writes the SDK's tables of events, errors and states.
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors, statusOf } from '@holdfast/contract/errors';
import { EVENT_NAMES, events } from '@holdfast/contract/events';
import { type Machine, terminalStates } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { surfaceB } from '@holdfast/contract/surface-b';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../../apps/sandbox/src/faults.ts';
import { meaningOf } from './error-advice.ts';
import { exampleOf, plain } from './schema.ts';
import { docLines, quoted, TypeWriter, union } from './sdk-types.ts';

type Imports = (used: ReadonlySet<string>, self: string) => string;

/** The payload of every event, and what each is about. */
export function eventsFile(imports: Imports): string {
  const used = new Set<string>(['AggregateType']);
  const rows = EVENT_NAMES.map((name) => {
    const writer = new TypeWriter(() => undefined);
    const fields = writer.fields(plain(events[name].payload), 'response', [], '    ');
    for (const one of writer.used) used.add(one);
    return `${docLines(events[name].description)}\n  '${name}': {\n${fields}\n  };`;
  });
  const aggregates = EVENT_NAMES.map((name) => `  '${name}': '${events[name].aggregateType}',`);
  return `${imports(used, 'event-types')}
/** The payload of each type of event. */
export interface EventPayloads {
${rows.join('\n')}
}

/** Every type of event that this version of the SDK knows, and what it is about. */
export const EVENT_AGGREGATES = {
${aggregates.join('\n')}
} as const satisfies Readonly<Record<keyof EventPayloads, AggregateType>>;`;
}

/** Every code: what may be done about it, and the shape of its details. */
export function errorsFile(imports: Imports): string {
  const codes = Object.keys(errors) as ErrorCode[];
  const used = new Set<string>();
  const details = codes.map((code) => {
    const writer = new TypeWriter(() => undefined);
    const fields = writer.fields(plain(errors[code].details), 'response', [], '    ');
    for (const one of writer.used) used.add(one);
    const type = fields === '' ? 'Record<string, never>' : `{\n${fields}\n  }`;
    return `${docLines(meaningOf(code))}\n  ${code}: ${type};`;
  });
  const rules = codes.map((code) => `  ${code}: '${errors[code].retry}',`);
  return `${imports(used, 'error-codes')}
/** The details of each code. */
export interface ErrorDetails {
${details.join('\n')}
}

/**
 * What may be done about it: \`never\` the same again; \`after-fixing\` the request or what it is
 * about; \`later\`, nothing was done (of INTERNAL_ERROR, its details show whether anything was);
 * \`check-first\`, the outcome is open.
 */
export type RetryRule = 'never' | 'later' | 'after-fixing' | 'check-first';

export const RETRY_RULES = {
${rules.join('\n')}
} as const satisfies Readonly<Record<keyof ErrorDetails, RetryRule>>;`;
}

/** Surface B returns a sentence and no code: maps each sentence and status to its code. */
export function membersErrorsFile(): string {
  const rows = new Map<string, ErrorCode>();
  for (const endpoint of Object.values<Endpoint>(surfaceB)) {
    for (const code of errorsOf(endpoint)) {
      rows.set(`${statusOf(code, endpoint)} ${errors[code].message}`, code);
    }
  }
  const lines = [...rows].map(([text, code]) => `  ${JSON.stringify(text)}: '${code}',`);
  return `import type { ErrorDetails } from '#generated/error-codes';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const MEMBER_CODES: Readonly<Record<string, keyof ErrorDetails>> = {
${lines.join('\n')}
};`;
}

/** The states that nothing leaves. */
export function statesFile(): string {
  const rows = Object.values<Machine>(machines).map(
    (machine) => `  ${machine.name}: [${terminalStates(machine).map(quoted).join(', ')}],`,
  );
  return `/** The states of each resource that no move leaves. */
export const FINAL_STATES = {
${rows.join('\n')}
} as const;`;
}

/** An example payload of every event, for test payloads. */
export function examplesFile(): string {
  const rows = EVENT_NAMES.map((name) => {
    const example = exampleOf(plain(events[name].payload));
    return `  '${name}': ${JSON.stringify(example)},`;
  });
  return `import type { EventPayloads } from '#generated/event-types';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const EXAMPLE_PAYLOADS: EventPayloads = {
${rows.join('\n')}
};`;
}

/** Operations at which the sandbox can fail, and the kinds of faults. */
export function faultsFile(): string {
  const targets = Object.entries(FAULT_OPERATIONS).flatMap(([provider, operations]) =>
    operations.map((operation) => quoted(`${provider}.${operation}`)),
  );
  const kinds = Object.entries(FAULT_KINDS).map(
    ([kind, description]) => ` * - \`${kind}\`: ${description}`,
  );
  return `/** The provider and the operation that can fail. */
export type FaultTarget =${union(targets)};

/**
 * How:
${kinds.join('\n')}
 */
export type FaultKind =${union(Object.keys(FAULT_KINDS).map(quoted))};`;
}
