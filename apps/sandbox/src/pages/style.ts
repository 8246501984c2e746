//! Colours, type and buttons of the sandbox's pages, in light and dark mode.
export const BASE_STYLE = `
:root {
  --paper: #f5f6f8; --card: #ffffff; --ink: #15202b; --soft: #556270; --line: #dfe3e8;
  --accent: #0b6e5f; --accent-ink: #ffffff; --accent-wash: #e3f3ef;
  --good: #0b6b3f; --good-wash: #e1f4e9; --bad: #a3221b; --bad-wash: #fce8e6;
  --wait: #7a5200; --wait-wash: #fdf1d8; --calm: #34506e; --calm-wash: #e7eef6;
  --shadow: 0 1px 2px rgb(16 32 48 / 6%), 0 8px 24px rgb(16 32 48 / 6%);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #10161c; --card: #182129; --ink: #e8edf2; --soft: #9fb0bf; --line: #2b3743;
    --accent: #3fc0a6; --accent-ink: #06231d; --accent-wash: #12352f;
    --good: #6fd6a0; --good-wash: #123324; --bad: #ff9d94; --bad-wash: #3c1a18;
    --wait: #f2c266; --wait-wash: #37290d; --calm: #a8c4e2; --calm-wash: #1d2c3d;
    --shadow: none;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif;
}
h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 2px; }
button, select, input { font: inherit; color: inherit; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px;
  padding: 0 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--card);
  color: var(--ink); font-weight: 600; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { border-color: var(--soft); }
button.primary, .button.primary {
  background: var(--accent); border-color: var(--accent); color: var(--accent-ink);
}
button.primary:hover, .button.primary:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
