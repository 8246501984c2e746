//! Decides whether an untrusted text may become a link.

/** The address itself when it is a plain web address; undefined for scripts, data and the rest. */
export function safeAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // A name before the host is how an address pretends to be another.
  return isWeb && username === '' && password === '' ? href : undefined;
}
