//! L5: by the reason of a refused webhook URL, names of our network differ from missing ones.
import { type Attack, alarmed } from '../attack.ts';

export const attack: Attack = {
  id: 'L5',
  title: 'explore the network behind with webhook URLs',
  isQuick: true,
  evidence: alarmed('suspicious request refused'),
  run: async ({ request, ready }) => {
    const refusalOf = async (url: string) => {
      const sending = { body: { url }, bearer: ready.apiKey };
      const { status, code, details } = await request('/webhook-endpoints', sending);
      if (code !== 'WEBHOOK_URL_REFUSED') throw new Error(`${url} got ${status} ${code}`);
      return JSON.stringify(details);
    };
    const inside = await refusalOf('https://localhost:9443/');
    const address = await refusalOf('https://10.0.0.1/');
    const missing = await refusalOf('https://missing.localhost.invalid/');
    if (inside === missing && address === missing) return undefined;
    return `a name inside is ${inside}, a missing one ${missing}`;
  },
  withoutFix: {
    file: 'apps/server/src/webhooks/outgoing/address-policy.ts',
    find: "return new EgressRefusal('the host does not resolve to a public address', detail);",
    replace: 'return new EgressRefusal(detail, detail);',
  },
};
