//! An id that links to its resource and can be copied.
import { useState } from 'react';
import { Go, PlainGo } from '#app/go.tsx';
import { routeOfId } from '#app/routes.ts';
import { CopyId } from '#parts/copy-id.tsx';
import { shortId } from '#parts/words/short-id.ts';

interface Props {
  readonly id: string | null | undefined;
  /** Where it leads, if its prefix does not say; null for nowhere. */
  readonly to?: string | null;
  /** In little room, as in a table: its beginning and its end, and a button when one points. */
  readonly isBare?: boolean;
}

export function IdLink({ id, to, isBare = false }: Props) {
  if (id === null || id === undefined || id === '') return <span>–</span>;
  const route = to === undefined ? routeOfId(id) : (to ?? undefined);
  if (isBare) return <BareId id={id} route={route} />;
  return (
    <span className="hf-id-group">
      {route === undefined ? (
        <span className="hf-id">{id}</span>
      ) : (
        <Go to={route} className="hf-id">
          {id}
        </Go>
      )}
      <CopyId id={id} />
    </span>
  );
}

interface BareProps {
  readonly id: string;
  readonly route: string | undefined;
}

/** Cheap to draw: the button is there only while the mouse is over the id. */
function BareId({ id, route }: BareProps) {
  const [isPointedAt, setPointedAt] = useState(false);
  const { head, middle, tail } = shortId(id);
  const isCut = middle !== '';
  // The whole id is in the page for search and screen readers; only the visible text is cut.
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
      {route === undefined ? (
        <span className="hf-id">{text}</span>
      ) : (
        <PlainGo to={route} className="hf-id">
          {text}
        </PlainGo>
      )}
      {isPointedAt && <CopyId id={id} isMouseOnly />}
    </span>
  );
}
