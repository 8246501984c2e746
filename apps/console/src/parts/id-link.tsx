//! An id: leads to what it names, and can be copied.
import { useState } from 'react';
import { Go, PlainGo } from '#app/go.tsx';
import { placeOfId } from '#app/places.ts';
import { CopyId } from '#parts/copy-id.tsx';
import { shortId } from '#parts/short-id.ts';

interface Props {
  readonly id: string | null | undefined;
  /** Where it leads, if its prefix does not say; null for nowhere. */
  readonly to?: string | null;
  /** In little room, as in a table: its beginning and its end, and a button when one points. */
  readonly isBare?: boolean;
}

export function IdLink({ id, to, isBare = false }: Props) {
  if (id === null || id === undefined || id === '') return <span>–</span>;
  const place = to === undefined ? placeOfId(id) : (to ?? undefined);
  if (isBare) return <BareId id={id} place={place} />;
  return (
    <span className="hf-id-group">
      {place === undefined ? (
        <span className="hf-id">{id}</span>
      ) : (
        <Go to={place} className="hf-id">
          {id}
        </Go>
      )}
      <CopyId id={id} />
    </span>
  );
}

interface BareProps {
  readonly id: string;
  readonly place: string | undefined;
}

/** Cheap to draw: the button is there only while somebody points at the id. */
function BareId({ id, place }: BareProps) {
  const [isPointedAt, setPointedAt] = useState(false);
  const { head, middle, tail } = shortId(id);
  const isCut = middle !== '';
  // The whole id is there for search and whoever hears the page; only the eye is spared.
  const text = isCut ? (
    <>
      {head}
      <span className="hf-id-middle">{middle}</span>
      {tail}
    </>
  ) : (
    id
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only shows a button for the mouse.
    <span
      className="hf-id-group"
      data-short
      title={isCut ? id : undefined}
      onMouseEnter={() => setPointedAt(isCut)}
      onMouseLeave={() => setPointedAt(false)}
    >
      {place === undefined ? (
        <span className="hf-id">{text}</span>
      ) : (
        <PlainGo to={place} className="hf-id">
          {text}
        </PlainGo>
      )}
      {isPointedAt && <CopyId id={id} isMouseOnly />}
    </span>
  );
}
