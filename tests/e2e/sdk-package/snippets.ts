//! Writes the examples of a document to files that the compiler can check.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Declarations that the examples assume, and those of the first that later ones use. */
const SURROUNDINGS = `import type { Holdfast, Order } from '@holdfast/sdk';
import type { expressWebhook, FastifyLike } from '@holdfast/sdk/webhooks';

declare global {
  const buyer: { readonly id: string };
  const seller: { readonly id: string };
  const cart: { readonly id: string };
  const holdfast: Holdfast;
  const order: Order;
  const signal: AbortSignal;
  const secret: string;
  const oldSecret: string;
  const app: { post(path: string, handle: ReturnType<typeof expressWebhook>): void };
  const fastify: { register(plugin: (instance: FastifyLike) => Promise<void>): void };
  function notify(userId: string, balance: string): Promise<void>;
  function alertSupport(disputeId: string): Promise<void>;
}
`;

/** Writes each TypeScript block into a module of its own; returns the file names. */
export function writeSnippets(document: string, folder: string): string[] {
  const blocks = [...document.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text as string);
  const files = blocks.map((text, index) => ({ name: `readme-${index + 1}.ts`, text }));
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'surroundings.d.ts'), SURROUNDINGS);
  return ['surroundings.d.ts', ...files.map(({ name }) => name)];
}
