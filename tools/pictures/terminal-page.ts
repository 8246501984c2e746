//! A page that shows the output of a command as a terminal window does.

/** CSS classes of the escape codes that the command line writes. */
const CLASSES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};
/** The escape sequence of a colour. */
const CODE = new RegExp(`${String.fromCodePoint(27)}\\[(\\d+)m`);

const STYLE = `
  body { margin: 0; background: transparent; }
  #window { width: 1000px; background: #16202a; border-radius: 12px; overflow: hidden; }
  #bar { display: flex; gap: 8px; padding: 13px 16px; background: #202c38; }
  #bar i { width: 12px; height: 12px; border-radius: 50%; background: #3d4b59; }
  pre { margin: 0; padding: 16px 24px 24px; color: #dbe4ec; font: 14.5px/1.5 ui-monospace,
    "SF Mono", "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre-wrap; }
  .bold { font-weight: 700; color: #fff; } .dim { color: #8b9cab; } .red { color: #f47c7c; }
  .green { color: #6fd08c; } .yellow { color: #e6c36a; } .cyan { color: #6cc7e8; }
`;

export function terminalPage(output: string): string {
  const shown = `<span class="green">$</span> npx holdfast dev\n${painted(output)}`;
  return `<!doctype html><style>${STYLE}</style>
    <div id="window"><div id="bar"><i></i><i></i><i></i></div><pre>${shown}</pre></div>`;
}

function painted(output: string): string {
  const [plain = '', ...coloured] = output.split(new RegExp(CODE, 'g'));
  let html = escaped(plain);
  for (let at = 0; at < coloured.length; at += 2) {
    const [code = '', text = ''] = coloured.slice(at, at + 2);
    const name = CLASSES[code];
    html += name === undefined ? escaped(text) : `<span class="${name}">${escaped(text)}</span>`;
  }
  return html;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
