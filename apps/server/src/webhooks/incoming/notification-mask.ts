//! Masks personal data in a notification's body for operators; the rest stays the provider's text.
//! The provider chooses the field names, so personal fields are recognised by a pattern.
import { createHash } from 'node:crypto';
import type { Actor } from '../../platform/call.ts';
import { maskSentence, maskText, seesPersonalData } from '../../platform/mask.ts';
import type { NotificationDetail } from './notification-list.ts';

/** Fields that hold personal data, in any spelling: `airtmUserEmail`, `first_name`, `phone`. */
const PERSONAL =
  /e-?mail|phone|mobile|name$|user_?id$|birth|dob$|national|passport|document|kyc|tax_?id|iban|account_?number|holder|beneficiar|recipient|address|street|postal|city$|^ref$/i;
/** Address of an account or a contract: the network shows it to everyone. */
const ON_LEDGER = /^[GC][A-Z2-7]{55}$/;

/** A string, with the colon that makes it a field name; a number; an opening or closing bracket. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/g;

export function maskNotification(
  actor: Actor,
  notification: NotificationDetail,
): NotificationDetail {
  return seesPersonalData(actor)
    ? notification
    : { ...notification, body: maskBody(notification.body) };
}

/** An open object or list: a personal one makes all of its content personal. */
interface Open {
  readonly isPersonal: boolean;
  readonly isList: boolean;
}

/** Changes values only: whitespace, order and the digits of numbers stay as received. */
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

/** Without JSON, personal parts cannot be recognised. */
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
