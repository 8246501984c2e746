//! A saga of the matrix: its starting point, its request, and its expected endings.
import type { ApiRequest } from '../../harness/api.ts';
import type { Journal } from '../../harness/journal.ts';
import type { PaymentCall } from '../../harness/payment-proxy.ts';
import type { OpenSet } from '../../harness/set.ts';

/** What a saga needs of its environment. */
export type Surroundings = OpenSet & { readonly journal: Journal };

/** The subject of a cell's request, brought to the state before it. */
export interface Fixture {
  /** The order, top-up or withdrawal. Empty where the request creates it, or there is none. */
  readonly subjectId: string;
  /** The users whose work and addresses come to rest; the first is the one who pays. */
  readonly userIds: readonly string[];
  /** Empty where there is none. */
  readonly disputeId: string;
  /** The key of its marketplace, if it has one of its own. */
  readonly apiKey?: string;
}

/** The visible state of the subject and its money when nothing is in flight. */
export type Ending = Readonly<Record<string, string | null>>;

export type Effects = Readonly<Record<string, number>>;

export type SagaRow = RequestRow | JobRow;

/** A saga that a request starts. */
export interface RequestRow extends Row {
  readonly call: (fixture: Fixture) => ApiRequest;
  readonly job?: undefined;
}

/** Work of a background job, which no request starts. */
export interface JobRow extends Row {
  readonly job: Job;
}

export interface Job {
  /** The record by which the crash points of the job are armed. */
  readonly ownerOf: (fixture: Fixture) => string;
  /** Happens outside, or in the books: the job finds it. */
  readonly happen: (environment: Surroundings, fixture: Fixture) => Promise<void>;
  /** The job has found it and has nothing more to do. */
  readonly isOver: (environment: Surroundings, fixture: Fixture) => Promise<boolean>;
}

interface Row {
  readonly name: string;
  readonly milestones: readonly number[];
  /** A payment gets every reply at each of its calls; else it is a saga of an order. */
  readonly isPayment?: true;
  readonly prepare: (environment: Surroundings, milestones: number) => Promise<Fixture>;
  /** Reads the ending that was reached. */
  readonly read: (environment: Surroundings, fixture: Fixture) => Promise<Ending>;
  /** Its route accepts an Idempotency-Key. */
  readonly isKeyed?: true;
  /** It runs in the request itself, not as an operation: after a 504, a repeat does it. */
  readonly isRead?: true;
  readonly done: Ending;
  /** After a refusal before any money moved. Undefined: a refused step is retried. */
  readonly undone?: Ending;
  /** The error code of that response, if not INTERNAL_ERROR. */
  readonly refusal?: string;
  /** Requests after that, if not the same; they must succeed, since no refusal is a dead end. */
  readonly again?: (fixture: Fixture) => readonly ApiRequest[];
  /** A refused step ends the subject: the response is a success that shows it. */
  readonly endsRefused?: (step: string) => Refused;
  /** Effects on the whole subject, by the number of parts that a contract settles. */
  readonly effects: (parts: number) => Effects;
  /** Additional effects where a refused contract is abandoned and another is created. */
  readonly effectsAgain?: Effects;
  /** At the end, addresses on the network hold what the books say. */
  readonly hasAddresses: boolean;
  /** Steps that call the payment provider, and the call of each. */
  readonly providerCalls?: Readonly<Record<string, PaymentCall>>;
  /** Steps that read the network. */
  readonly networkReads?: readonly string[];
  /** Ends what would wait for a person. After it, nothing is in flight. */
  readonly finish?: (environment: Surroundings, fixture: Fixture) => Promise<void>;
}

export interface Refused {
  readonly ending: Ending;
  readonly effects: Effects;
}
