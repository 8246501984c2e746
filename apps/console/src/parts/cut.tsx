//! A table text that may be long: it is cut to its column, and shown whole on hover.

export function Cut({ text }: { readonly text: string }) {
  return (
    <span className="hf-cut" title={text}>
      {text}
    </span>
  );
}
