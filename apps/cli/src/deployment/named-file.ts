//! A variable of the environment, or the content of the file that NAME_FILE names.
import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined when neither is set; throws when the file cannot be read. */
export function readNamed(env: Environment, name: string): string | undefined {
  const { [name]: value, [`${name}_FILE`]: file } = env;
  if (value) return value;
  return file ? readFileSync(file, 'utf8').trimEnd() : undefined;
}

/** The environment with the content of each file in place of its name. */
export function withFiles(env: Environment): Environment {
  const names = Object.keys(env)
    .filter((name) => name.endsWith('_FILE') && env[name])
    .map((name) => name.slice(0, -'_FILE'.length));
  const read = (name: string): [string, string | undefined][] => {
    try {
      return [[name, readNamed(env, name)]];
    } catch {
      // `doctor` reports it by its own check.
      return [];
    }
  };
  return { ...env, ...Object.fromEntries(names.flatMap(read)) };
}
