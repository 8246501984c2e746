//! The actor of an action: an operator by name, a key, a provider, or the service itself.
import { useQuery } from '@tanstack/react-query';
import { useHoldfast, useSession } from '#app/session/session.tsx';
import { CopyId } from '#parts/copy-id.tsx';
import { IdLink } from '#parts/id-link.tsx';

/** Those who have no id of their own. */
const WORDS: Readonly<Record<string, string>> = {
  system: 'Holdfast',
  master: 'Master key',
  anonymous: 'Anonymous',
  'escrow-provider': 'Escrow provider',
  'payment-provider': 'Payment provider',
};

interface Props {
  readonly id: string | null | undefined;
  /** In little room, as in a table. */
  readonly isBare?: boolean;
}

export function Actor({ id, isBare = false }: Props) {
  if (id?.startsWith('opr_')) return <Person id={id} isBare={isBare} />;
  if (id?.startsWith('key_'))
    return (
      <span>
        API key <IdLink id={id} isBare={isBare} />
      </span>
    );
  const words = id && Object.hasOwn(WORDS, id) ? WORDS[id] : undefined;
  return words === undefined ? <IdLink id={id} isBare={isBare} /> : <span>{words}</span>;
}

/** By the id alone while the name is not known. */
function Person({ id, isBare }: { readonly id: string; readonly isBare: boolean }) {
  const name = useNames().get(id);
  if (name === undefined) return <IdLink id={id} isBare={isBare} />;
  return (
    <span className="hf-id-group" title={id}>
      {name}
      {!isBare && <CopyId id={id} />}
    </span>
  );
}

const FRESH_MS = 60_000;
const NAMES_MAX = 2_000;
const NONE: ReadonlyMap<string, string> = new Map();

/**
 * All names at once: every actor on the page uses the same query and its one response. Platform
 * admins read those of all operators, because they act outside the marketplaces too.
 */
function useNames(): ReadonlyMap<string, string> {
  const holdfast = useHoldfast();
  const { marketplaceId, session } = useSession();
  const { isPlatformAdmin } = session.operator;
  const { data } = useQuery({
    queryKey: ['Operator', marketplaceId, 'names'],
    queryFn: async ({ signal }) => {
      const { operators } = holdfast;
      const list = isPlatformAdmin
        ? operators.list({ limit: 100 }, { signal })
        : operators.listNames({ limit: 100 }, { signal });
      const people = await list.toArray(NAMES_MAX);
      return new Map(people.map(({ id, name }) => [id, name]));
    },
    enabled: isPlatformAdmin || marketplaceId !== '',
    staleTime: FRESH_MS,
  });
  return data ?? NONE;
}
