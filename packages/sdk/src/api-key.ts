//! Reads the API key of a client from its options or the environment, and refuses unsafe uses.
import { environment } from '#platform';

interface KeyOptions {
  readonly apiKey?: string | undefined;
  readonly session?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly allowKeyInPage?: boolean | undefined;
}

/** A key, and not a token made from one. */
const LONG_LIVED = /^hf_[a-z0-9]{1,8}_[0-9A-Za-z]{49}$/;

/** Throws where a call could only fail later, and where a key would be open to everybody. */
export function readApiKey(options: KeyOptions, isRequired: boolean): string | undefined {
  // A signed-in page has a cookie; it takes no key from anywhere.
  const hasSession = options.session !== undefined;
  const key = options.apiKey ?? (hasSession ? undefined : environment('HOLDFAST_API_KEY'));
  if (isInPage() && LONG_LIVED.test(key ?? '') && options.allowKeyInPage !== true) {
    throw new TypeError(
      'An API key must not be used in a web page: use a token from keys.createToken, or a session',
    );
  }
  if (isRequired && !key && !hasSession && !hasAuthorization(options)) {
    throw new TypeError('No API key: set HOLDFAST_API_KEY, or pass apiKey to new Holdfast()');
  }
  return key;
}

function hasAuthorization({ headers = {} }: KeyOptions): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

function isInPage(): boolean {
  return 'window' in globalThis && 'document' in globalThis;
}
