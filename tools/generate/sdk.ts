//! Writes packages/sdk/src/generated from the contract: records, requests, calls, events, errors.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { CONTRACT_HEADER } from './header.ts';
import { allowsNull, type JsonSchema, plain } from './schema.ts';
import { callText, endpointsFile, type Request } from './sdk-calls.ts';
import {
  errorsFile,
  eventsFile,
  examplesFile,
  faultsFile,
  membersErrorsFile,
  statesFile,
} from './sdk-facts.ts';
import { EXTENDED, isCalled, methodOf, pascal, RESOURCE_MEANS } from './sdk-names.ts';
import { TypeWriter, wordsFile } from './sdk-types.ts';
import { variantsOf } from './sdk-variants.ts';

export const SDK_GENERATED = 'packages/sdk/src/generated';

type Files = Map<string, string>;

/** Every generated file of the SDK: its name, and its whole text. */
export function generateSdk(): Files {
  const files: Files = new Map();
  const add = (name: string, text: string) =>
    files.set(`${name}.ts`, `//! ${CONTRACT_HEADER}\n${text.trimEnd()}\n`);
  const homes = new Map<string, string>();
  add('words', wordsFile());
  const writer = new GroupWriter(homes, add);
  for (const name of namesIn(files.get('words.ts') ?? '')) homes.set(name, '#generated/words');
  for (const name of ['EventType', 'HoldfastEvent']) homes.set(name, '#event');
  const groups = groupsOf(Object.values<Endpoint>(surfaceA));
  for (const [resource, endpoints] of groups) writer.write(resource, endpoints);
  writer.write('members', Object.values<Endpoint>(surfaceB));
  add('endpoints', endpointsFile(Object.values<Endpoint>(surfaceA), 'endpoints'));
  add('members-endpoints', endpointsFile(Object.values<Endpoint>(surfaceB), 'memberEndpoints'));
  add('event-types', eventsFile(importsOf(homes)));
  add('error-codes', errorsFile(importsOf(homes)));
  add('members-errors', membersErrorsFile());
  add('states', statesFile());
  add('examples', examplesFile());
  add('faults', faultsFile());
  add('resources', resourcesFile([...groups.keys()], [...files.keys()]));
  return files;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name as string);
}

function groupsOf(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints.filter(isCalled)) {
    const { resource } = methodOf(endpoint);
    groups.set(resource, [...(groups.get(resource) ?? []), endpoint]);
  }
  return groups;
}

/** The imports that a generated file needs for the names that it uses; a home is a module. */
function importsOf(homes: ReadonlyMap<string, string>) {
  return (used: ReadonlySet<string>, self: string): string => {
    const byHome = new Map<string, string[]>();
    for (const name of [...used].sort()) {
      const home = homes.get(name);
      if (home !== undefined && home !== `#generated/${self}`)
        byHome.set(home, [...(byHome.get(home) ?? []), name]);
    }
    return [...byHome]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([home, names]) => importLine(names, home))
      .join('');
  };
}

function importLine(names: readonly string[], from: string): string {
  const line = `import type { ${names.join(', ')} } from '${from}';\n`;
  return line.length <= 101
    ? line
    : `import type {\n  ${names.join(',\n  ')},\n} from '${from}';\n`;
}

class GroupWriter {
  readonly #homes: Map<string, string>;
  readonly #add: (name: string, text: string) => void;

  constructor(homes: Map<string, string>, add: (name: string, text: string) => void) {
    this.#homes = homes;
    this.#add = add;
  }

  /** Writes a file of the records that this group uses first, and one of its calls. */
  write(resource: string, endpoints: readonly Endpoint[]): void {
    const file = kebab(resource);
    const found: JsonSchema[] = [];
    const met = (schema: JsonSchema) => {
      const name = schema.title ?? '';
      if (this.#homes.has(name)) return;
      this.#homes.set(name, `#generated/${file}-records`);
      found.push(schema);
    };
    const calls = new TypeWriter(met);
    const requests = endpoints.map((endpoint) => this.#request(endpoint, calls));
    const records = this.#records(found, met);
    const inputs = requests.flatMap(({ types }) => types);
    const imports = importsOf(this.#homes);
    const body = [...records.texts, ...inputs.map(({ text }) => text)].join('\n\n');
    if (body !== '') {
      for (const { name } of inputs) this.#homes.set(name, `#generated/${file}-records`);
      const used = new Set([...records.used, ...inputs.flatMap((one) => [...one.used])]);
      this.#add(`${file}-records`, `${imports(used, `${file}-records`)}\n${body}`);
    }
    const dataNames = requests.flatMap(({ names }) => [...names]);
    const shared = imports(new Set([...dataNames, ...inputs.map(({ name }) => name)]), file);
    this.#add(file, this.#classText(resource, requests, shared));
  }

  /** Records are written after those that they hold, however deep. */
  #records(found: JsonSchema[], met: (schema: JsonSchema) => void) {
    const texts: string[] = [];
    const used = new Set<string>();
    for (const schema of found) {
      const writer = new TypeWriter(met);
      const fields = writer.fields(schema, 'response');
      texts.push(`export interface ${schema.title} {\n${fields}\n}`);
      for (const name of writer.used) used.add(name);
    }
    return { texts, used };
  }

  #request(endpoint: Endpoint, responses: TypeWriter): Request {
    const params = Object.keys(plain(endpoint.params ?? {}).properties ?? {});
    const body = inputType(endpoint, 'Input', endpoint.body, params);
    const query = inputType(endpoint, 'Query', endpoint.query, []);
    const before = new Set(responses.used);
    const data = responses.type(plain(endpoint.success.data), 'response');
    const names = new Set([...responses.used].filter((name) => !before.has(name) || data === name));
    const types = [body, query].flatMap((one) => (one === undefined ? [] : [one]));
    return { endpoint, params, body, query, data, names, types };
  }

  #classText(resource: string, requests: readonly Request[], imports: string): string {
    const isB = resource === 'members';
    const name = `${pascal(resource)}Calls`;
    const methods = requests.map((request) => callText(request, isB)).join('\n\n');
    const table = isB ? 'memberEndpoints' : 'endpoints';
    const from = isB ? 'members-endpoints' : 'endpoints';
    const isUsed = (type: string) => methods.includes(`): ${type}<`);
    const callTypes = [
      ...(isUsed('Call') ? ['Call'] : []),
      ...(methods.includes(': CallOptions') ? ['CallOptions'] : []),
      ...(isUsed('DecisionCall') ? ['DecisionCall'] : []),
      ...(methods.includes(': KeyedCallOptions') ? ['KeyedCallOptions'] : []),
    ];
    return [
      `import type { ${callTypes.join(', ')} } from '#call';`,
      `import { ${table} } from '#generated/${from}';`,
      ...(isUsed('List') ? [`import type { List } from '#list';`] : []),
      `import { Resource } from '#resource';`,
      imports,
      `/** ${RESOURCE_MEANS[resource] ?? `Calls about ${resource}.`} */`,
      `export class ${name} extends Resource {\n${methods}\n}`,
    ].join('\n');
  }
}

function inputType(
  endpoint: Endpoint,
  suffix: string,
  schema: object | undefined,
  without: readonly string[],
): Request['body'] {
  if (schema === undefined) return undefined;
  const shape = plain(schema);
  const own = Object.keys(shape.properties ?? {}).filter((name) => !without.includes(name));
  const isOpen = shape.properties === undefined;
  if (own.length === 0 && !isOpen) return undefined;
  const writer = new TypeWriter(() => undefined);
  const name = `${pascal(endpoint.id)}${suffix}`;
  const text = isOpen
    ? `export type ${name} = Readonly<Record<string, unknown>>;`
    : inputText(name, writer, shape, { without, cases: variantsOf(endpoint.id, shape) });
  const needs = (shape.required ?? []).some((field) => own.includes(field));
  return { name, text, used: writer.used, isOptional: allowsNull(shape) || !needs };
}

interface InputParts {
  readonly without: readonly string[];
  readonly cases: readonly JsonSchema[] | undefined;
}

/** An interface, or a union where the fields depend on one of them. */
function inputText(
  name: string,
  writer: TypeWriter,
  shape: JsonSchema,
  { without, cases }: InputParts,
): string {
  if (cases === undefined)
    return `export interface ${name} {\n${writer.fields(shape, 'input', without)}\n}`;
  const members = cases.map(
    (one) => `  | {\n${writer.fields(one, 'input', without, '      ')}\n    }`,
  );
  return `export type ${name} =\n${members.join('\n')};`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function resourcesFile(resources: readonly string[], files: readonly string[]): string {
  const className = (one: string) => `${pascal(one)}${EXTENDED.includes(one) ? '' : 'Calls'}`;
  const imports = resources
    .map((one) => [
      className(one),
      EXTENDED.includes(one) ? `#resources/${kebab(one)}` : `#generated/${kebab(one)}`,
    ])
    .sort((one, other) => ((one[1] ?? '') < (other[1] ?? '') ? -1 : 1))
    .map(([name, from]) => `import { ${name} } from '${from}';`);
  const fields = resources.map(
    (one) =>
      `  /** ${RESOURCE_MEANS[one] ?? `Calls about ${one}.`} */\n  readonly ${one}: ${className(one)};`,
  );
  const sets = resources.map((one) => `    this.${one} = new ${className(one)}(client);`);
  const records = files
    .filter((file) => file.endsWith('-records.ts') && file !== 'members-records.ts')
    .sort()
    .map((file) => `export type * from '#generated/${file.slice(0, -3)}';`);
  return `import type { Client } from '#client';
${imports.join('\n')}

${records.join('\n')}

/** Every resource of Surface A. */
export class Resources {
${fields.join('\n')}

  constructor(client: Client) {
${sets.join('\n')}
  }
}`;
}
