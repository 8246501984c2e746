//! Compiles schemas once per test process. Each test file has its own server with the same routes,
//! and compiling them takes longer than most tests.
import type { FastifyInstance } from 'fastify';

type Validator = NonNullable<FastifyInstance['validatorCompiler']>;
type Serializer = NonNullable<FastifyInstance['serializerCompiler']>;

const compiled = new Map<string, unknown>();
/** The compilers of the first server, which Fastify created with the settings that all share. */
let ownCompilers: { readonly validator: Validator; readonly serializer: Serializer } | undefined;

/** To be called before any route is served. */
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

/** To be called once the server is ready. */
export function saveCompilers({ validatorCompiler, serializerCompiler }: FastifyInstance): void {
  if (validatorCompiler === undefined || serializerCompiler === undefined) return;
  ownCompilers ??= { validator: validatorCompiler, serializer: serializerCompiler };
}

function once<T>(key: string, compile: () => T): T {
  if (!compiled.has(key)) compiled.set(key, compile());
  return compiled.get(key) as T;
}
