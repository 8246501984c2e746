//! The words we do not use, each with the word that the field uses, and a ratchet: how often a word
//! is left may only fall. A row with nothing left is a ban.
//!
//! Names count as they are declared, word by word; texts are comments, strings and documents.
//! docs/glossary.md is the vocabulary that we do use.
import ts from 'typescript';
import { isTypeScript, nodesOf, type Source } from './source.ts';

interface Row {
  /** The words of a name, in lower case; or a pattern in a text. */
  readonly words: readonly string[];
  readonly say: string;
  readonly left: number;
  /** Names, or texts with what surrounds them, that are right or not ours to choose. */
  readonly except?: RegExp;
}

/** Columns, keys and functions that are stored are renamed with the schema. */
const STORED = /^[a-z]+(_[a-z]+)+(\.sql)?$/;

const NAME_WORDS: readonly Row[] = [
  { words: ['wish', 'wishes', 'wished'], say: 'input, command or options', left: 0 },
  { words: ['deed', 'deeds'], say: 'action or audit record', left: 0 },
  { words: ['told'], say: 'payload, observation, fields or body', left: 0 },
  { words: ['tell', 'tells', 'telling'], say: 'emit, notify, print or report', left: 0 },
  {
    words: ['look', 'looks', 'looked', 'looker', 'looking'],
    say: 'poll (on a timer), fetch (once) or check',
    left: 0,
  },
  { words: ['sight', 'sights', 'sighting', 'sightings'], say: 'snapshot or observation', left: 0 },
  { words: ['door', 'doors'], say: 'auth, or the thing that is called', left: 0 },
  { words: ['turn', 'turns', 'turnstile'], say: 'lease, claim or semaphore', left: 0 },
  {
    words: ['place', 'placed', 'places'],
    say: 'position, ref, route, location; sequenced',
    left: 0,
    except: /PLACES|[pP]lacesOf|[dD]ecimalPlaces|inPlace|placeholder/i,
  },
  {
    words: ['drive', 'drives', 'driven', 'driver'],
    say: 'execute (verb), attempt (noun)',
    left: 0,
  },
  { words: ['raise', 'raised', 'raises'], say: 'escalate', left: 0 },
  {
    words: ['answer', 'answers', 'answered', 'answering'],
    say: 'response (HTTP), reply (of a provider) or result',
    left: 0,
  },
  { words: ['ask', 'asks', 'asked', 'asking'], say: 'request, query or call', left: 0 },
  {
    words: ['notice', 'notices', 'noticed'],
    say: 'notification',
    left: 0,
  },
  { words: ['follow', 'follower', 'followed'], say: 'consume, dispatch or track', left: 0 },
  { words: ['forget', 'forgets', 'forgotten'], say: 'purge or drop', left: 0 },
  { words: ['fold', 'folded'], say: 'compact', left: 0 },
  {
    words: ['keep', 'keeps', 'keeper', 'kept'],
    say: 'store, save or retain',
    left: 0,
    // `holdfast dev --keep` keeps its database.
    except: /keepAlive|keepPrevious|keepMounted|^keep$/,
  },
  {
    words: ['begins', 'begun'],
    say: 'start, started',
    left: 0,
  },
  { words: ['make', 'makes', 'maker', 'made'], say: 'create, created', left: 0 },
  { words: ['noted'], say: 'recorded', left: 0 },
  { words: ['bell', 'bells', 'ringer', 'ring', 'rings'], say: 'notifier, notify', left: 0 },
  { words: ['spare', 'spares'], say: 'pooled', left: 0, except: /^HOLDFAST_SPARE_WALLETS$/ },
  { words: ['seat', 'seats'], say: 'membership', left: 0 },
  { words: ['fate'], say: 'final status', left: 0 },
  { words: ['stranger', 'strangers'], say: 'external payer, outsider', left: 0 },
  { words: ['outside'], say: 'upstream or external', left: 0, except: /closeOnClickOutside/ },
  { words: ['story', 'stories'], say: 'scenario, or the timeline of an order', left: 0 },
  { words: ['play', 'plays', 'played'], say: 'run', left: 0 },
  { words: ['traces'], say: 'related records', left: 0 },
  { words: ['stage'], say: 'environment', left: 0, except: /^stage(Holdfast|Sdk)$/ },
  { words: ['strike', 'strikes', 'struck'], say: 'fault', left: 0 },
  { words: ['judge', 'judged'], say: 'check', left: 0 },
  { words: ['calm'], say: 'idle', left: 0 },
  { words: ['crowd', 'crowded'], say: 'clients', left: 0 },
  { words: ['patient'], say: 'target', left: 0 },
  { words: ['deal', 'deals'], say: 'order fixture', left: 0 },
  { words: ['stone', 'stones'], say: 'milestone', left: 0 },
  { words: ['chance'], say: 'random', left: 0 },
  {
    words: ['nobody', 'somebody', 'anybody', 'whoever', 'whatever'],
    say: 'the role: caller, operator, worker',
    left: 0,
  },
  { words: ['say', 'says', 'said', 'saying'], say: 'print, printed, output', left: 0 },
  { words: ['hear', 'heard'], say: 'receive, received', left: 0 },
];

const TEXT_WORDS: readonly Row[] = [
  {
    words: ['nobody', 'somebody', 'anybody'],
    say: 'the role: caller, operator, worker',
    left: 0,
    // The user of that name on Linux.
    except: /postgres,? (or )?nobody/,
  },
  { words: ['whoever', 'whatever', 'whomever'], say: 'the role or the thing', left: 0 },
  { words: ['told', 'tell', 'tells'], say: 'returned, emitted, sent, shown, printed', left: 0 },
  { words: ['wish', 'wishes', 'wished'], say: 'input, request', left: 0 },
  { words: ['deed', 'deeds'], say: 'action, effect', left: 0 },
  { words: ['begun', 'begins'], say: 'started, starts', left: 0 },
  {
    words: ['look at', 'looks at', 'looked at', 'looking at', 'a look(?!-alike)'],
    say: 'check, read, poll, fetch',
    left: 0,
  },
  { words: ['goes on', 'go on', 'went on'], say: 'continues', left: 0 },
  { words: ['stranger', 'strangers'], say: 'another marketplace, an external payer', left: 0 },
  { words: ['door', 'doors'], say: 'the function, endpoint or check', left: 0 },
  { words: ['drive', 'drives', 'driven'], say: 'run, execute, attempt', left: 0 },
  // PostgreSQL raises exceptions; a provider's texts are its own.
  {
    words: ['raise(?! (exception|a dispute))', 'raised', 'raises'],
    say: 'escalate',
    left: 0,
    // The changelog says which status was renamed.
    except: /`RAISED`/,
  },
  { words: ['notice', 'notices'], say: 'notification', left: 0 },
  {
    words: ['answer', 'answers', 'answered'],
    say: 'response, reply, result; return, respond',
    left: 0,
  },
  // A screen may tell people to ask people.
  { words: ['asks', 'asked'], say: 'request, call, query', left: 0 },
  { words: ['story', 'stories'], say: 'scenario, timeline', left: 0 },
  { words: ['all the same'], say: 'still, regardless', left: 0 },
];

export interface Counted {
  readonly row: Row;
  readonly found: readonly string[];
}

const NOT_OURS =
  /^tools\/(fixtures\/|tidy\/words\.ts|(tidy|rename)\.test\.ts)|\/generated\/|package-lock/;
/** A decision record keeps the words of its time. */
const HISTORY = /^docs\/decisions\/\d/;

/** How often each word is declared, and how often a file has it in its name. */
export function countNames(sources: readonly Source[]): Counted[] {
  const ours = sources.filter(({ path }) => !NOT_OURS.test(path) && !HISTORY.test(path));
  return count([
    ...ours.map(({ path }) => ({ name: path.split('/').at(-1) ?? '', where: path })),
    ...ours.filter(({ path }) => isTypeScript(path)).flatMap(declaredNames),
  ]);
}

interface Named {
  readonly name: string;
  readonly where: string;
}

function count(names: readonly Named[]): Counted[] {
  const byWord = new Map<string, Named[]>();
  for (const named of names) {
    for (const word of new Set(wordsOf(named.name))) {
      byWord.set(word, [...(byWord.get(word) ?? []), named]);
    }
  }
  return NAME_WORDS.map((row) => ({
    row,
    found: row.words
      .flatMap((word) => byWord.get(word) ?? [])
      .filter(({ name }) => !STORED.test(name) && !row.except?.test(name))
      .map(({ name, where }) => `${where} ${name}`),
  }));
}

/** `claimSpareWallet`, `SPARE_WALLET` and `spare-wallet.ts` have the same words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function declaredNames(source: Source): Named[] {
  return nodesOf(source).flatMap((node) => {
    if (!ts.isMemberName(node) || !isDeclared(node)) return [];
    return [{ name: node.text, where: source.path }];
  });
}

function isDeclared(node: ts.MemberName): boolean {
  const { parent } = node;
  if ((parent as ts.NamedDeclaration).name !== node) return false;
  // A use, and names that another declaration has given.
  return !(
    ts.isPropertyAccessExpression(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isShorthandPropertyAssignment(parent)
  );
}

const TEXT = /\.(tsx?|mjs|md|yaml|yml|sql)$/;
const PAGES = /^docs\/reference\//;

export function countTexts(sources: readonly Source[]): Counted[] {
  const read = sources.filter(
    ({ path }) => TEXT.test(path) && ![NOT_OURS, HISTORY, PAGES].some((one) => one.test(path)),
  );
  return TEXT_WORDS.map((row) => {
    const pattern = new RegExp(`\\b(${row.words.join('|')})\\b`, 'gi');
    return { row, found: read.flatMap((source) => findTexts(source, pattern, row)) };
  });
}

function findTexts(source: Source, pattern: RegExp, row: Row): string[] {
  const text = textOf(source);
  return [...text.matchAll(pattern)].flatMap(({ 0: word, index }) => {
    const around = text.slice(Math.max(0, index - 30), index + word.length + 30);
    const shown = around.replaceAll('\n', ' ');
    return row.except?.test(shown) ? [] : [`${source.path} …${shown}…`];
  });
}

const texts = new WeakMap<Source, string>();

/** All of a document; of code and SQL the comments, the strings and the text of screens. */
function textOf(source: Source): string {
  const known = texts.get(source);
  if (known !== undefined) return known;
  const text = readText(source);
  texts.set(source, text);
  return text;
}

function readText(source: Source): string {
  if (isTypeScript(source.path)) return textOfCode(source);
  return source.path.endsWith('.sql') ? textOfSql(source) : source.text;
}

function textOfSql({ text }: Source): string {
  return (text.match(/--.*|'[^']*'/g) ?? []).join('\n');
}

function textOfCode(source: Source): string {
  const literals = nodesOf(source).flatMap((node) =>
    ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateLiteralToken(node)
      ? [node.text]
      : [],
  );
  const comments = source.text.match(/(?<![:'"`\w])\/\/.*|\/\*[\s\S]*?\*\//g) ?? [];
  return [...literals, ...comments].join('\n');
}

/** A line for each row that grew, and one for each that fell and does not say so yet. */
export function misses(counted: readonly Counted[]): string[] {
  return counted.flatMap(({ row, found }) => {
    const words = row.words.join(', ');
    if (found.length === row.left) return [];
    if (found.length < row.left) return [`${words}: ${found.length} left, lower ${row.left} to it`];
    const more = found.length - row.left;
    return [`${words}: say ${row.say}; ${more} too many of`, ...found.slice(0, 20)];
  });
}
