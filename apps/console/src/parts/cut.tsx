//! A text of a table that may be long: it leaves room for the others, and is whole when pointed at.

export function Cut({ text }: { readonly text: string }) {
  return (
    <span className="hf-cut" title={text}>
      {text}
    </span>
  );
}
