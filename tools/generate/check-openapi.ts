//! Checks an OpenAPI document: dangling references, undeclared parameters, duplicate ids.
import { pathParameters } from '@holdfast/contract/endpoint';
import type { OpenApiDocument, Operation } from './openapi.ts';

/** The faults of a document; none when it is valid. */
export function problemsOf(document: OpenApiDocument): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is used twice`),
    ...operations.flatMap(({ path, operation }) => problemsOfOperation(path, operation)),
    ...danglingReferences(document),
  ];
}

function problemsOfOperation(path: string, operation: Operation): string[] {
  const { operationId, parameters, responses } = operation;
  const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
  const named = parameters.map((one) => `${one.in} ${one.name} ${one.$ref}`);
  const statuses = Object.keys(responses);
  return [
    ...(declared.join() === pathParameters(path).join()
      ? []
      : [`${path} declares ${declared.join()}`]),
    ...(new Set(named).size === named.length ? [] : [`${operationId} repeats a parameter`]),
    ...(statuses.some((status) => /^[23]/.test(status)) ? [] : [`${operationId} never succeeds`]),
    ...(statuses.some((status) => /^[45]/.test(status)) ? [] : [`${operationId} never fails`]),
  ];
}

function danglingReferences(document: OpenApiDocument): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [name, value] of Object.entries(node)) {
      if (name !== '$ref') visit(value);
      else if (resolvePointer(document, String(value)) === undefined)
        found.push(`${value} leads nowhere`);
    }
  };
  visit(document);
  return found;
}

function resolvePointer(document: object, pointer: string): unknown {
  let node: unknown = document;
  for (const step of pointer.replace(/^#\//, '').split('/')) {
    if (node === null || typeof node !== 'object') return undefined;
    node = (node as Record<string, unknown>)[step];
  }
  return node;
}
