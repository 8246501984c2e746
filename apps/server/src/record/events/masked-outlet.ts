//! The stream as an operator receives it. All readers share its messages, so personal data in them
//! is masked on the way out.
import type { Actor } from '../../platform/call.ts';
import { seesPersonalData, shownTo } from '../../platform/mask.ts';
import type { Outlet } from '../../platform/outlet.ts';

const DATA = 'data: ';

/** Takes whole messages, one or many at once, as readers write them. */
export function maskedOutlet(actor: Actor, outlet: Outlet): Outlet {
  if (seesPersonalData(actor)) return outlet;
  return {
    get isClosed() {
      return outlet.isClosed;
    },
    write: (chunk) => outlet.write(maskedMessages(actor, chunk)),
    drained: () => outlet.drained(),
    onClose: (callback) => outlet.onClose(callback),
  };
}

function maskedMessages(actor: Actor, chunk: Buffer): Buffer {
  const lines = chunk.toString('utf8').split('\n');
  const shown = lines.map((line) =>
    line.startsWith(DATA)
      ? DATA + JSON.stringify(shownTo<unknown>(actor, JSON.parse(line.slice(DATA.length))))
      : line,
  );
  return Buffer.from(shown.join('\n'));
}
