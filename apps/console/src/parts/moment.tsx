//! A time: absolute and relative, by the service's clock.
import { useTimely } from '#parts/tick.ts';
import { absoluteWords, relativeWords } from '#parts/words/time-words.ts';

interface Props {
  readonly at: string | null | undefined;
  /** Only how long ago: for narrow places, where the moment itself stands elsewhere too. */
  readonly isShort?: boolean;
}

export function Moment({ at, isShort = false }: Props) {
  return at === null || at === undefined ? <span>–</span> : <Timestamp at={at} isShort={isShort} />;
}

function Timestamp({ at, isShort }: { readonly at: string; readonly isShort: boolean }) {
  const ms = Date.parse(at);
  const absolute = absoluteWords(ms);
  const relative = useTimely((nowMs) => relativeWords(ms, nowMs));
  return (
    <time className="hf-moment" dateTime={at} title={absolute}>
      {isShort ? relative : absolute}
      {!isShort && <span className="hf-moment-ago">{relative}</span>}
    </time>
  );
}
