//! Schemas are compiled once in a test process: each of its files has a server of its own, with the
//! same routes, and compiling them takes longer than most tests.
import type { FastifyInstance } from 'fastify';

type Validator = NonNullable<FastifyInstance['validatorCompiler']>;
type Serializer = NonNullable<FastifyInstance['serializerCompiler']>;

const compiled = new Map<string, unknown>();
/** Those of the first server, which Fastify made by the settings that all have. */
let ownCompilers: { readonly validator: Validator; readonly serializer: Serializer } | undefined;

/** Before any route is served. */
export function reuseCompiled(http: FastifyInstance): void {
  if (ownCompilers === undefined) return;
  const { validator, serializer } = ownCompilers;
  http.setValidatorCompiler<unknown>((route) =>
    once(`in ${JSON.stringify(route.schema)}`, () => validator(route)),
  );
  http.setSerializerCompiler<unknown>((route) =>
    once(`out ${JSON.stringify(route.schema)}`, () => serializer(route)),
  );
}

/** Once it is ready. */
export function keepCompilers({ validatorCompiler, serializerCompiler }: FastifyInstance): void {
  if (validatorCompiler === undefined || serializerCompiler === undefined) return;
  ownCompilers ??= { validator: validatorCompiler, serializer: serializerCompiler };
}

function once<T>(key: string, compile: () => T): T {
  if (!compiled.has(key)) compiled.set(key, compile());
  return compiled.get(key) as T;
}
