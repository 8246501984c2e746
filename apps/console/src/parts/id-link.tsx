//! An id: leads to what it names, and can be copied.
import { Go } from '#app/go.tsx';
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
  const text = isBare ? <Shortened id={id} /> : id;
  const isCut = isBare && shortId(id).middle !== '';
  const shown =
    place === undefined ? (
      <span className="hf-id">{text}</span>
    ) : (
      <Go to={place} className="hf-id">
        {text}
      </Go>
    );
  if (isBare && !isCut) return shown;
  return (
    <span className="hf-id-group" data-short={isBare} title={isBare ? id : undefined}>
      {shown}
      <CopyId id={id} isMouseOnly={isBare} />
    </span>
  );
}

/** The whole id is there for search and whoever hears the page; only the eye is spared. */
function Shortened({ id }: { readonly id: string }) {
  const { head, middle, tail } = shortId(id);
  if (middle === '') return id;
  return (
    <>
      {head}
      <span className="hf-id-middle">{middle}</span>
      {tail}
    </>
  );
}
