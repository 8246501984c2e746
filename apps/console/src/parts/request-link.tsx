//! The id of a request, linked to the request log.
import { IdLink } from '#parts/id-link.tsx';

interface Props {
  readonly id: string;
  readonly isBare?: boolean;
}

export function RequestLink({ id, isBare = false }: Props) {
  return <IdLink id={id} to={`/developers?requestId=${id}&tab=requests`} isBare={isBare} />;
}
