//! Invited and enrolled operators for tests: the steps that a person takes with the link.
import { randomUUID } from 'node:crypto';
import { decodeBase32 } from '@holdfast/kernel/base32';
import type { OperatorId } from '@holdfast/kernel/ids';
import { totpCode } from '../../access/operators/totp.ts';
import { type Desk, nextCode, PASSWORD, type Person, SIGN_IN_HEADERS } from '../operators.ts';
import type { ApiResponse, World } from '../world.ts';

export interface Invited {
  readonly id: OperatorId;
  readonly email: string;
  readonly token: string;
}

export interface Enrolled extends Person {
  readonly token: string;
  /** The confirmation code. */
  readonly code: string;
}

export const tokenOf = ({ json }: ApiResponse): string =>
  String(json.data.data.invitation.link).split('#')[1] ?? '';

/** By a platform admin, or by the master key. */
export async function invite(world: World, by?: Desk, fields: object = {}): Promise<Invited> {
  const email = `${randomUUID()}@example.test`;
  const body = { email, name: 'Ida', ...fields };
  const response = by
    ? await by.send('POST', '/operators', { body: { ...body, totp: nextCode(world, by) } })
    : await world.send('POST', '/operators', { key: world.masterKey, body });
  if (response.status !== 201) throw new Error(response.text);
  return { id: response.json.data.data.operator.id, email, token: tokenOf(response) };
}

const post = (world: World, path: string, body: object) =>
  world.send('POST', path, { body, headers: SIGN_IN_HEADERS });

export const open = (world: World, token: string) =>
  post(world, '/operators/enrollment', { token });

export const complete = (world: World, token: string, totp: string, password = PASSWORD) =>
  post(world, '/operators/enrollment/complete', { token, password, totp });

/** The previous code, which is accepted too: the person can still sign in with the current one. */
export function firstCode({ app }: World, totpSecret: Uint8Array): string {
  return totpCode(totpSecret, app.operators.clock.now() - 30_000);
}

/** Opens the link and sets password and secret, as the person does. */
export async function enroll(world: World, { id, email, token }: Invited): Promise<Enrolled> {
  const opened = await open(world, token);
  if (opened.status !== 200) throw new Error(opened.text);
  const totpSecret = decodeBase32(opened.json.data.data.totpSecret);
  const { json, text } = await complete(world, token, firstCode(world, totpSecret));
  if (json.data === undefined) throw new Error(text);
  return { id, email, token, totpSecret, code: json.data.data.confirmationCode };
}

export const activate = (world: World, by: Desk, id: string, code: string) =>
  by.send('POST', `/operators/${id}/activate`, { body: { code, totp: nextCode(world, by) } });

export const activateByMaster = (world: World, id: string, code: string) =>
  world.send('POST', `/operators/${id}/activate`, { key: world.masterKey, body: { code } });
