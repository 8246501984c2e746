//! Compares the arguments of a contract call with the expected ones. Every part must match;
//! otherwise the first part that differs is named.
import { Address, type xdr } from '@stellar/stellar-sdk/base';

/** Says where and how a value differs from the expected one; undefined when it matches. */
export type Matcher = (value: xdr.ScVal, path: string) => string | undefined;

export function address(wanted: string): Matcher {
  return (value, path) => {
    if (value.type !== 'scvAddress') return `${path} is no address`;
    const found = Address.fromScVal(value).toString();
    return found === wanted ? undefined : `${path} is ${found}, not ${wanted}`;
  };
}

/** For the provider's own fee, whose address the provider may choose. */
export const anyAddress: Matcher = (value, path) =>
  value.type === 'scvAddress' ? undefined : `${path} is no address`;

/**
 * Contracts count in several widths. Only the number is compared; the contract checks its width.
 */
export function whole(wanted: bigint): Matcher {
  return (value, path) => {
    const found = wholeOf(value);
    return found === wanted ? undefined : `${path} is ${found ?? value.type}, not ${wanted}`;
  };
}

export function wholeOf(value: xdr.ScVal): bigint | undefined {
  switch (value.type) {
    case 'scvU32':
    case 'scvI32':
      return BigInt(value.value);
    case 'scvU64':
    case 'scvI64':
      return value.value;
    case 'scvU128':
    case 'scvI128':
      return (value.value.hi << 64n) | value.value.lo;
    default:
      return undefined;
  }
}

export function text(wanted: string): Matcher {
  return (value, path) => {
    const found = textOf(value);
    if (found === undefined) return `${path} is no text`;
    return found === wanted ? undefined : `${path} is ${JSON.stringify(found)}`;
  };
}

function textOf(value: xdr.ScVal): string | Uint8Array | undefined {
  if (value.type === 'scvString') return value.str.asStringOrBytes();
  return value.type === 'scvSymbol' ? value.sym.asStringOrBytes() : undefined;
}

export const anyText: Matcher = (value, path) =>
  value.type === 'scvString' ? undefined : `${path} is no text`;

export function flag(wanted: boolean): Matcher {
  return (value, path) =>
    value.type === 'scvBool' && value.b === wanted ? undefined : `${path} is not ${wanted}`;
}

/** A value that was never configured matches nothing. */
export function bytes(wantedHex: string): Matcher {
  return (value, path) => {
    const found = bytesOf(value)?.toString('hex');
    return found === wantedHex && found !== ''
      ? undefined
      : `${path} is ${found ?? value.type}, not ${wantedHex}`;
  };
}

/** Any 32 bytes. */
export const anyHash: Matcher = (value, path) =>
  bytesOf(value)?.length === 32 ? undefined : `${path} is no hash`;

export function bytesOf(value: xdr.ScVal | undefined): Buffer | undefined {
  return value?.type === 'scvBytes' ? Buffer.from(value.value.toBytes()) : undefined;
}

export function list(wanted: readonly Matcher[]): Matcher {
  return (value, path) => {
    if (value.type !== 'scvVec' || value.vec === null) return `${path} is no list`;
    return matchAll(wanted, value.vec, path);
  };
}

export function matchAll(
  wanted: readonly Matcher[],
  found: readonly xdr.ScVal[],
  path: string,
): string | undefined {
  if (found.length !== wanted.length) return `${path} holds ${found.length}, not ${wanted.length}`;
  for (const [at, value] of found.entries()) {
    const difference = wanted[at]?.(value, `${path}[${at}]`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/**
 * Every field once, and no other. `one|other` is a field with two names; `?` at the end of a name
 * marks one that may be missing.
 */
export function struct(wanted: Readonly<Record<string, Matcher>>): Matcher {
  const rows = Object.entries(wanted).map(([names, matches]) => ({
    names: names.replace('?', '').split('|'),
    isOptional: names.endsWith('?'),
    matches,
  }));
  return (value, path) => {
    if (value.type !== 'scvMap' || value.map === null) return `${path} is no struct`;
    const missing = new Set(rows);
    for (const { key, val } of value.map) {
      const name = key.type === 'scvSymbol' ? key.sym.toString() : '';
      const row = [...missing].find(({ names }) => names.includes(name));
      if (row === undefined) return `${path} holds ${name || 'a field'} that it must not`;
      missing.delete(row);
      const difference = row.matches(val, `${path}.${name}`);
      if (difference !== undefined) return difference;
    }
    const [first] = [...missing].filter(({ isOptional }) => !isOptional);
    return first && `${path} holds no ${first.names[0]}`;
  };
}

/** A map from address to amount: these entries, each once, in any order. */
export function amounts(wanted: ReadonlyMap<string, bigint>): Matcher {
  return (value, path) => {
    if (value.type !== 'scvMap' || value.map === null) return `${path} is no map`;
    if (value.map.length !== wanted.size) return `${path} holds ${value.map.length} shares`;
    const seen = new Set<string>();
    for (const { key, val } of value.map) {
      const name = key.type === 'scvAddress' ? Address.fromScVal(key).toString() : '';
      const stroops = wanted.get(name);
      if (stroops === undefined || seen.has(name)) return `${path} pays ${name || 'no address'}`;
      seen.add(name);
      const difference = whole(stroops)(val, `${path}.${name}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  };
}
