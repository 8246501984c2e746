//! Writes refused sign-ins to the audit log, outside all marketplaces. They are summed by account,
//! address and minute, and a process writes a bounded number of rows a minute: a flood of attempts
//! must not become a flood of rows.
import type { AuditResourceType } from '@holdfast/contract/audit-actions';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { type Client, NO_MARKETPLACE, systemCall } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { emailKey } from '../../platform/email-key.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import { maskEmail } from '../../platform/mask.ts';
import type { RefusedSignIn, RefusedSignInLog } from '../../platform/refused-sign-in.ts';
import { audit } from '../../record/audit/audit-entry.ts';

/** The account of an address, if there is one. */
type FindAccount = (flow: RefusedSignIn['flow'], email: string) => Promise<string | undefined>;

interface Sum {
  readonly first: RefusedSignIn;
  readonly firstAt: Instant;
  lastAt: Instant;
  attempts: number;
}

const MINUTE_MS = 60_000;
const ROWS_MAX = 60;
const OTHERS = 'others';

export class RefusedSignIns implements RefusedSignInLog {
  readonly #app: Transactor;
  readonly #findAccount: FindAccount;
  #sums = new Map<string, Sum>();
  /** Attempts past the bound, which share one row. */
  #others = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(app: Transactor, findAccount: FindAccount) {
    this.#app = app;
    this.#findAccount = findAccount;
  }

  /** Costs its request nothing: a row is written when the minute is over. */
  record(refused: RefusedSignIn): void {
    const { flow, accountId, email = '', client } = refused;
    const key = JSON.stringify([flow, accountId ?? emailKey(email), client.address]);
    const now = this.#app.clock.now();
    const known = this.#sums.get(key);
    if (known !== undefined) {
      known.attempts += 1;
      known.lastAt = now;
    } else if (this.#sums.size < ROWS_MAX - 1)
      this.#sums.set(key, { first: refused, firstAt: now, lastAt: now, attempts: 1 });
    else this.#others += 1;
    this.#timer ??= setTimeout(() => void this.flush(), MINUTE_MS - (now % MINUTE_MS)).unref();
  }

  /** Writes what was counted so far. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [sums, others] = [[...this.#sums.values()], this.#others];
    this.#sums = new Map();
    this.#others = 0;
    this.#writing = this.#writing.then(async () => {
      for (const sum of sums) await this.#attempt(sum.attempts, () => this.#writeSum(sum));
      if (others > 0) await this.#attempt(others, () => this.#writeOthers(others));
    });
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
  }

  /** What could not be written is counted in the next minute. */
  async #attempt(attempts: number, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#others += attempts;
      this.#app.log.warn({ count: attempts, err: error }, 'refused sign-ins not recorded');
    }
  }

  async #writeSum({ first, firstAt, lastAt, attempts }: Sum): Promise<void> {
    const { flow, email, client, requestId } = first;
    const accountId =
      first.accountId ?? (email === undefined ? undefined : await this.#findAccount(flow, email));
    const after = {
      flow,
      attempts,
      firstAt: instantText(firstAt),
      lastAt: instantText(lastAt),
      ...(email === undefined ? {} : { email: maskEmail(emailKey(email)) }),
    };
    await this.#write(accountId ?? fingerprint(emailKey(email ?? '')), after, {
      requestId,
      client,
    });
  }

  async #writeOthers(attempts: number): Promise<void> {
    await this.#write(OTHERS, { attempts }, {});
  }

  async #write(
    resourceId: string,
    after: Record<string, unknown>,
    origin: { readonly requestId?: string; readonly client?: Client },
  ): Promise<void> {
    const resourceType = typeOf(resourceId);
    const call = { ...systemCall(NO_MARKETPLACE), ...origin, worksDuringRecovery: true };
    const record = { action: 'SIGN_IN_REFUSED', resourceId, resourceType, after } as const;
    await transact(
      this.#app,
      call,
      (tx) => audit(tx, { ...record, result: 'FAILURE' }),
      'read committed',
    );
  }
}

function typeOf(resourceId: string): AuditResourceType {
  if (resourceId.startsWith('opr_')) return 'Operator';
  return resourceId.startsWith('usr_') ? 'User' : 'SignIn';
}
