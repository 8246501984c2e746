//! Addresses of a database that has several hosts.

/**
 * One URL for each host of `postgres://user@first:5432,second:5432/name`. The driver takes one
 * host, and does not know `target_session_attrs`: Holdfast always needs the host that takes writes.
 */
export function databaseUrls(url: string): readonly [string, ...string[]] {
  const [, scheme, user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)(.*)$/s.exec(url) ?? [];
  if (scheme === undefined || !hosts.includes(',')) return [url];
  const path = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  const [first = '', ...others] = hosts.split(',').map((host) => `${scheme}${user}${host}${path}`);
  return [first, ...others];
}
