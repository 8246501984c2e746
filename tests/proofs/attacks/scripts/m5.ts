//! M5: users who share an e-mail address make a lookup by it slow.
import { type Attack, unrecorded } from '../attack.ts';

const NAMESAKES = 50_000;
const SLOWER_MS_MAX = 50;
const ROUNDS = 5;

export const attack: Attack = {
  id: 'M5',
  title: `look up an address with ${NAMESAKES} namesakes`,
  evidence: unrecorded('a list is no attempt at anything'),
  run: async ({ request, monitor, ready }) => {
    // As calls would create them, a day of calls later.
    const { rowCount } = await monitor.query(
      `insert into users (marketplace_id, id, external_user_id, email, type, status,
        deposit_currency, created_at, updated_at)
      select m.id, 'usr_0' || lpad(n::text, 26, '0'), 'm5-' || n, 'Same@m5.example', 'BOTH',
        'ACTIVE', 'USD', now(), now()
      from marketplace m, generate_series(1, $2::int) n where m.public_id = $1`,
      [ready.marketplaceId, NAMESAKES],
    );
    if (rowCount !== NAMESAKES) throw new Error(`${rowCount} namesakes`);
    const quickest = async (email: string, found: number) => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const startedAt = performance.now();
        const path = `/users?limit=100&email=${encodeURIComponent(email)}`;
        const { status, data } = await request(path, { bearer: ready.apiKey });
        times.push(performance.now() - startedAt);
        const items = (data as unknown as unknown[] | undefined) ?? [];
        if (status !== 200 || items.length !== found) throw new Error(`${status}, ${items.length}`);
      }
      return Math.min(...times);
    };
    const alone = await quickest('alone@m5.example', 0);
    const slower = (await quickest('same@M5.example', 100)) - alone;
    return slower > SLOWER_MS_MAX ? `${Math.round(slower)} ms of the database` : undefined;
  },
};
