//! The id of a request, which leads to it in the request log.
import { IdLink } from '#parts/id-link.tsx';

export function RequestLink({ id }: { readonly id: string }) {
  return <IdLink id={id} to={`/developers?requestId=${id}&tab=requests`} />;
}
