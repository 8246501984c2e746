//! Compiles the schemas of a route on its first call. Compiling all of the hundreds at startup
//! would double the startup time.
import buildAjv, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import buildStringify, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Validate = ReturnType<ReturnType<BuildCompilerFromPool>>;

const buildValidator: BuildCompilerFromPool = (schemas, settings) => {
  const compile = buildAjv()(schemas, settings);
  return (route) => {
    let compiled: Validate | undefined;
    const validate = ((data: unknown) => {
      compiled ??= compile(route);
      const isValid = compiled(data);
      // Fastify reads the validation errors from here.
      validate.errors = compiled.errors ?? null;
      return isValid;
    }) as Validate;
    return validate;
  };
};

const buildSerializer: SerializerFactory = (schemas, settings) => {
  const compile = buildStringify()(schemas, settings);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
};

/** Fastify's own compilers, deferred. */
export const lazySchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator, buildSerializer },
};
