//! Prints the timeline of one record: time, kind, text, and cause of each item.
import type { TimelineItemView } from '@holdfast/contract/records/order-records';
import type { Style } from './style.ts';
import { clockText, shortText } from './words.ts';

/** A timeline item, or another item of the same form. */
export type TimelineItem = Omit<TimelineItemView, 'kind'> & { readonly kind: string };

const KINDS: Readonly<Record<string, { readonly word: string; readonly color: keyof Style }>> = {
  api_call: { word: 'call', color: 'bold' },
  person: { word: 'manual', color: 'bold' },
  webhook: { word: 'webhook', color: 'yellow' },
  provider_call: { word: 'provider', color: 'dim' },
  ledger_transaction: { word: 'network', color: 'cyan' },
  posting: { word: 'posting', color: 'green' },
  state: { word: 'state', color: 'cyan' },
  event: { word: 'event', color: 'cyan' },
};

const KIND_WIDTH = Math.max(...Object.values(KINDS).map(({ word }) => word.length));

/** Ids with a word for them, such as `buyer`. */
export type Names = Readonly<Record<string, string>>;

/** Days as headings, one line per item; a cause is printed when it changes. */
export function timelineLines(
  items: readonly TimelineItem[],
  style: Style,
  names: Names = {},
): string[] {
  const lines: string[] = [];
  let day = '';
  let cause = '';
  for (const item of items) {
    if (item.at.slice(0, 10) !== day) {
      day = item.at.slice(0, 10);
      if (lines.length > 0) lines.push('');
      lines.push(`  ${style.dim(`${day}, UTC`)}`);
    }
    const why = causeText(item.cause);
    const shown = why === cause || why === '' ? '' : `  ${style.dim(`← ${why}`)}`;
    cause = why === '' ? cause : why;
    const more = moreOf(item, names).map((each) => `  ${style.dim(each)}`);
    lines.push(`${lineOf(item, style)}${more.join('')}${shown}`);
  }
  return lines;
}

function lineOf({ at, kind, title }: TimelineItem, style: Style): string {
  const { word, color } = KINDS[kind] ?? { word: kind, color: 'dim' as const };
  const paint = style[color];
  return `  ${style.dim(clockText(at).padEnd(12))}  ${paint(word.padEnd(KIND_WIDTH))}  ${title}`;
}

/** Who started it: a person or key by a request, the system for an operation, a provider. */
function causeText({ actorId, operationId, requestId, webhookId }: TimelineItem['cause']): string {
  return [
    actorId === undefined || actorId === 'system' ? '' : shortText(actorId, 16),
    operationId ?? '',
    webhookId === undefined ? '' : `webhook ${shortText(webhookId, 16)}`,
    requestId === undefined ? '' : `request ${shortText(requestId, 12)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

interface AccountRef {
  readonly kind?: string;
  readonly ownerId?: string | null;
  readonly bucket?: string;
}

/** Where money went, which transaction it was, why a provider refused. */
function moreOf({ detail }: TimelineItem, names: Names): string[] {
  const { from, to, hash, code, reason } = detail as {
    readonly from?: AccountRef | string | null;
    readonly to?: AccountRef | string | null;
    readonly hash?: string;
    readonly code?: string;
    readonly reason?: string | null;
  };
  const lines: string[] = [];
  if (isAccountRef(from) && isAccountRef(to))
    lines.push(`${accountText(from, names)} → ${accountText(to, names)}`);
  if (typeof hash === 'string') lines.push(hash);
  if (typeof code === 'string') lines.push(`${code}${reason ? `: ${reason}` : ''}`);
  else if (typeof reason === 'string') lines.push(reason);
  return lines;
}

function isAccountRef(value: AccountRef | string | null | undefined): value is AccountRef {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** A reserved bucket is named; the available one is the usual case and is not. */
function accountText({ kind = '', ownerId, bucket }: AccountRef, names: Names): string {
  const account = ownerId ? (names[ownerId] ?? ownerId) : kind.replaceAll('_', ' ');
  return bucket === undefined || bucket === 'available' ? account : `${account} (${bucket})`;
}
