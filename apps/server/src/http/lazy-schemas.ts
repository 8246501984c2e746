//! Compiles the schemas of a route when it is first called. There are hundreds of them, and at the
//! start of a process they would take as long as everything else together.
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
      // Where Fastify looks for what is wrong.
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

/** Fastify's own compilers, put off. */
export const lazySchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator, buildSerializer },
};
