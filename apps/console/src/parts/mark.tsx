//! The Holdfast logo, as in the browser tab.

export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0b5c55" />
      <path d="M9 8v16M23 8v16M9 16h14" stroke="#fff" strokeWidth={4} strokeLinecap="round" />
    </svg>
  );
}
