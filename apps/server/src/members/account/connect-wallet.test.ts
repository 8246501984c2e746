import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { encodeStrKey } from '../../providers/network/strkey.ts';
import { openMemberWorld, type Person } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openMemberWorld);
const person = useOpened(() => world.person());

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url');
  return {
    address: encodeStrKey('account', raw),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

async function challengeFor(who: Person, address: string): Promise<string> {
  return (await who.post('/wallets/challenge', { public_key: address })).json.data.challenge;
}

const connect = (who: Person, address: string, proof: object = {}) =>
  who.post('/wallets/connect', { public_key: address, ...proof });

const provenAt = async (who: Person, address: string) => {
  const { wallets } = (await who.get('/wallets')).json.data;
  const found = wallets.find(({ public_key: key }: { public_key: string }) => key === address);
  return found?.proven_at;
};

it('connects a wallet once, unproven', async () => {
  const { address } = newKey();
  const first = await connect(person, address);
  expect(first.status, first.text).toBe(200);
  expect((await connect(person, address)).json.data).toEqual(first.json.data);
  expect(await provenAt(person, address)).toBeNull();
});

it('accepts a signed challenge as proof, and keeps the proof', async () => {
  const key = newKey();
  const challenge = await challengeFor(person, key.address);
  const signature = key.sign(challenge);
  expect((await connect(person, key.address, { challenge, signature })).status).toBe(200);
  const proven = await provenAt(person, key.address);
  expect(proven).toMatch(/Z$/);
  await connect(person, key.address);
  expect(await provenAt(person, key.address)).toBe(proven);
});

it('accepts no other proof', async () => {
  const key = newKey();
  const other = newKey();
  const otherPerson = await world.person();
  const challenge = await challengeFor(person, key.address);
  const foreign = await challengeFor(otherPerson, key.address);
  const elsewhere = await challengeFor(person, other.address);
  const later = challenge.replace(/20\d\d-/, '2099-');
  for (const proof of [
    { challenge, signature: other.sign(challenge) },
    { challenge: foreign, signature: key.sign(foreign) },
    { challenge: elsewhere, signature: key.sign(elsewhere) },
    { challenge: later, signature: key.sign(later) },
    { challenge },
    { signature: key.sign(challenge) },
    { challenge: 'mine', signature: key.sign('mine') },
  ])
    expect((await connect(person, key.address, proof)).status).toBe(400);
  expect(await provenAt(person, key.address)).toBeUndefined();
});
