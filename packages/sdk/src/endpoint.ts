//! The SDK's facts about an endpoint: its route, and whether the contract allows repeating it.

export interface EndpointFacts {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the surface's base, with its parameters in braces. */
  readonly path: string;
  /** What the key must be allowed to do. */
  readonly scope: string;
  /**
   * When the response is lost: `always` may be repeated; `keyed` under the same Idempotency-Key;
   * `referenced` when the body has its reference; `refused` is not, because the outcome of the
   * first is unknown.
   */
  readonly repeat: 'always' | 'keyed' | 'referenced' | 'refused';
  /** The field of the body that makes a repeat harmless. */
  readonly reference?: string;
  /** The parameter that carries the cursor, when it is a list. */
  readonly cursor?: string;
}

/** What goes into one call. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
}

/** The path with its parameters in place, each as one segment. */
export function pathOf(endpoint: EndpointFacts, params: RequestParts['params'] = {}): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') {
      throw new TypeError(`${endpoint.id}: ${name} is required`);
    }
    // A segment of dots would change the path; no id has one.
    if (/^\.{1,2}$/.test(value))
      throw new TypeError(`${endpoint.id}: ${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

/** The query as text: lists repeat their name, times and numbers become text. */
export function queryOf(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, textOf(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
