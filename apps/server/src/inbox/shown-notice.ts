//! A notice's body as an operator sees it: the provider's own text, in which whatever tells of a
//! person is masked. Its fields are the provider's, so names are judged by what they look like.
import { createHash } from 'node:crypto';
import type { Actor } from '../platform/call.ts';
import { maskSentence, maskText, seesPersonalData } from '../platform/mask.ts';
import type { NoticeDetail } from './notice-list.ts';

/** Fields that hold somebody's data, in any spelling: `airtmUserEmail`, `first_name`, `phone`. */
const PERSONAL =
  /e-?mail|phone|mobile|name$|user_?id$|birth|dob$|national|passport|document|kyc|tax_?id|iban|account_?number|holder|beneficiar|recipient|address|street|postal|city$|^ref$/i;
/** Of an account or a contract: the network shows it to everybody. */
const ON_LEDGER = /^[GC][A-Z2-7]{55}$/;

/** A text, with the colon that makes it the name of a field; a number; what opens and closes. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/g;

export function shownNotice(actor: Actor, notice: NoticeDetail): NoticeDetail {
  return seesPersonalData(actor) ? notice : { ...notice, body: maskBody(notice.body) };
}

/** An object or a list that is open: a personal one is so with everything in it. */
interface Open {
  readonly isPersonal: boolean;
  readonly isList: boolean;
}

/** Only values change: spaces, order and the digits of numbers stay as they came. */
export function maskBody(body: string): string {
  if (!isJson(body)) return unreadable(body);
  const open: Open[] = [];
  let field = '';
  const isPersonal = () => {
    const around = open.at(-1);
    return around?.isPersonal === true || (around?.isList !== true && PERSONAL.test(field));
  };
  return body.replace(TOKEN, (token: string, quoted?: string, colon?: string) => {
    if (token === '{' || token === '[')
      open.push({ isPersonal: isPersonal(), isList: token === '[' });
    if (token === '}' || token === ']') open.pop();
    if ('{}[]'.includes(token)) {
      field = '';
      return token;
    }
    if (quoted === undefined) return isPersonal() ? '"•••"' : token;
    const text = JSON.parse(quoted) as string;
    if (colon !== undefined) {
      field = text;
      return `${JSON.stringify(maskSentence(text))}${colon}`;
    }
    const shown = maskValue(text, isPersonal());
    return shown === text ? quoted : JSON.stringify(shown);
  });
}

function maskValue(text: string, isPersonal: boolean): string {
  const masked = maskSentence(text);
  return masked === text && isPersonal && !ON_LEDGER.test(text) ? maskText(text) : masked;
}

/** Nothing tells what in it is personal. */
function unreadable(body: string): string {
  const hash = createHash('sha256').update(body).digest('hex');
  return `No JSON: ${Buffer.byteLength(body)} bytes with the SHA-256 ${hash}.`;
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
