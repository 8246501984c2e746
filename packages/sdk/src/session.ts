//! The session of a signed-in operator: a cookie in place of a key, with the headers it needs.

/** What `new Holdfast({ session })` takes; `{}` is enough to sign in. */
export interface HoldfastSession {
  /** Which of the operator's marketplaces the calls are about. */
  readonly marketplaceId?: string | undefined;
  /** As `operators.signIn` and `operators.getSession` return it; changes are refused without it. */
  readonly csrfToken?: string | undefined;
}

/** What a call sends for an operator: headers carry Latin letters only, so that text is encoded. */
export function operatorHeaders(
  session: HoldfastSession | undefined,
  reason: string | undefined,
): [name: string, value: string][] {
  const { marketplaceId, csrfToken } = session ?? {};
  const all: [string, string | undefined][] = [
    ['x-holdfast-marketplace', marketplaceId],
    ['x-holdfast-csrf', csrfToken],
    ['x-holdfast-reason', reason === undefined ? undefined : encodeURIComponent(reason)],
  ];
  return all.filter((one): one is [string, string] => one[1] !== undefined);
}
