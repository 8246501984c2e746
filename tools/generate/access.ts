//! Who may call an endpoint: in words for the pages, and as security schemes for OpenAPI.
import type { Endpoint, Scope } from '@holdfast/contract/endpoint';
import { rolesOf } from '@holdfast/contract/roles';

type Json = Record<string, unknown>;

const WHO: Record<Scope, string> = {
  public: 'Public.',
  any: 'Any valid key.',
  read: 'Scope `read`.',
  write: 'Scope `write`.',
  support: 'Scope `support`.',
  master: 'The master key only.',
  signature: 'Authenticated by signature.',
  member: 'A member token.',
  session: 'A signed-in operator.',
  platform: 'A platform admin who has signed in.',
  operator: 'An operator of the marketplace.',
};

const SECOND_APPROVER = {
  always: 'An operator needs the approval of a second one',
  'above-limit':
    'Above the limit of approvals in 24 hours, an operator needs the approval of a second one',
  increase: 'More than before needs the approval of another platform admin',
} as const;

/** Keys first, then people; a sentence each. */
export function whoMayCall(endpoint: Endpoint): string[] {
  const { scope, master, secondApprover } = endpoint;
  const roles = rolesOf(endpoint);
  const isForPlatform = endpoint.platform === true && scope !== 'platform';
  return [
    WHO[scope],
    ...(master ? ['Also with the master key.'] : []),
    ...(roles.length > 0 ? [`Operators: ${roles.map((role) => `\`${role}\``).join(', ')}.`] : []),
    ...(isForPlatform ? ['Also for platform admins.'] : []),
    ...(secondApprover
      ? [`${SECOND_APPROVER[secondApprover]}: the response is 202 and an approval.`]
      : []),
  ];
}

/** As a cell of a table. */
export function rolesCell(endpoint: Endpoint): string {
  const { scope, platform } = endpoint;
  const isForPlatform = platform === true || scope === 'platform';
  const all = [...rolesOf(endpoint), ...(isForPlatform ? ['platform admin'] : [])];
  return scope === 'session' ? 'any signed-in operator' : all.join(', ') || '—';
}

/** Whether a signed-in operator may call it, and not only a key. */
function isForOperators(endpoint: Endpoint): boolean {
  const { scope, platform } = endpoint;
  const isForPeople = scope === 'session' || scope === 'platform' || platform === true;
  return isForPeople || rolesOf(endpoint).length > 0;
}

/** Whether only a signed-in operator may call it, and no key. */
export function isForSessionsOnly({ scope, master }: Endpoint): boolean {
  return (scope === 'session' || scope === 'operator' || scope === 'platform') && master !== true;
}

export function security(endpoint: Endpoint): Json[] {
  const { scope } = endpoint;
  if (scope === 'public' || scope === 'signature') return [];
  if (scope === 'member') return [{ memberToken: [] }];
  const isKeyed = !['session', 'operator', 'platform', 'master'].includes(scope);
  return [
    ...(isKeyed ? [{ apiKey: scope === 'any' ? [] : [scope] }] : []),
    ...(endpoint.master || scope === 'master' ? [{ masterKey: [] }] : []),
    ...(isForOperators(endpoint) ? [{ operatorSession: [] }] : []),
  ];
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

export const KEYS = {
  apiKey: bearer('An API key of one marketplace, or a short-lived token issued from one.'),
  masterKey: bearer("The operator's key: makes keys, marketplaces and operators."),
  operatorSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-holdfast_session',
    description:
      'The cookie that signIn sets; without https its name is holdfast_session. What is no GET ' +
      'needs X-Holdfast-Csrf and the origin of the service as well.',
  },
};
export const TOKENS = { memberToken: bearer('A JWT from /auth/register or /auth/login.') };

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

/** Headers of operators only: a key needs none of them. */
export const SESSION_PARAMETERS = {
  'X-Holdfast-Marketplace': header(
    'X-Holdfast-Marketplace',
    'With a session: the id of the marketplace.',
  ),
  'X-Holdfast-Csrf': header(
    'X-Holdfast-Csrf',
    'With a session: its csrfToken, as returned by signIn and getSession.',
  ),
  'X-Holdfast-Reason': header(
    'X-Holdfast-Reason',
    'With a session: the reason for the audit log, percent-encoded. A `reason` in the body works too.',
  ),
};

/** Which of those an endpoint takes. */
export function sessionHeaders(endpoint: Endpoint): (keyof typeof SESSION_PARAMETERS)[] {
  if (!isForOperators(endpoint)) return [];
  const isChange = endpoint.method !== 'GET';
  const hasReason = isChange && endpoint.scope !== 'session' && endpoint.changesNothing !== true;
  return [
    ...(rolesOf(endpoint).length > 0 ? (['X-Holdfast-Marketplace'] as const) : []),
    ...(isChange ? (['X-Holdfast-Csrf'] as const) : []),
    ...(hasReason ? (['X-Holdfast-Reason'] as const) : []),
  ];
}
