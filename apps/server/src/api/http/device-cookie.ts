//! Cookies of known devices. After a successful sign-in the browser gets one for this account, so
//! that guesses by others do not lock its owner out. It proves nothing else: a sign-in still needs
//! every credential.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import { type Clock, instantText, readInstant } from '@holdfast/kernel/clock';
import type { Config } from '../../platform/config/config.ts';
import { isServedOverHttps } from '../../platform/config/features.ts';
import { emailKey } from '../../platform/email-key.ts';
import { cookieOf } from './session.ts';

export type SignInFlow = 'login' | 'sign-in';

export interface Devices {
  readonly clock: Clock;
  readonly config: Pick<Config, 'HOLDFAST_TOKEN_SECRET' | 'HOLDFAST_PUBLIC_URL' | 'NODE_ENV'>;
}

const KNOWN_SECONDS = 90 * 24 * 3600;
const NAMES: Readonly<Record<SignInFlow, string>> = {
  login: 'holdfast_member_device',
  'sign-in': 'holdfast_device',
};
const VALUE = /^([\dTZ:.-]+)~([\w-]{22})~([\w-]{43})$/;

/** The id of the device, if it has signed in to this account in the last 90 days. */
export function knownDeviceOf(
  app: Devices,
  flow: SignInFlow,
  email: string,
  cookies: string | undefined,
): string | undefined {
  const [, expires = '', id = '', mac = ''] =
    VALUE.exec(cookieOf(cookies, nameOf(app, flow)) ?? '') ?? [];
  if (id === '' || (readInstant(expires) ?? 0) <= app.clock.now()) return undefined;
  const expected = Buffer.from(macOf(app, flow, email, `${expires}~${id}`));
  return timingSafeEqual(Buffer.from(mac), expected) ? id : undefined;
}

/** Scripts cannot read it and other sites cannot send it. */
export function deviceCookie(app: Devices, flow: SignInFlow, email: string): string {
  const expires = instantText(app.clock.now() + KNOWN_SECONDS * 1000);
  const body = `${expires}~${randomBytes(16).toString('base64url')}`;
  const value = `${body}~${macOf(app, flow, email, body)}`;
  const secure = isServedOverHttps(app.config) ? '; Secure' : '';
  return `${nameOf(app, flow)}=${value}; Path=/; Max-Age=${KNOWN_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

function nameOf({ config }: Devices, flow: SignInFlow): string {
  return isServedOverHttps(config) ? `__Host-${NAMES[flow]}` : NAMES[flow];
}

function macOf({ config }: Devices, flow: SignInFlow, email: string, body: string): string {
  const { HOLDFAST_TOKEN_SECRET: secret } = config;
  assert(secret !== undefined, 'the api server has the secret of tokens');
  const mac = createHmac('sha256', secret);
  return mac.update(['device', flow, emailKey(email), body].join('\n')).digest('base64url');
}
