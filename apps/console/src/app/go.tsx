//! Moving between screens, and the state that a screen keeps in its address.
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useCallback } from 'react';
import { marketplaceIn, withMarketplace } from '#app/marketplace-word.ts';
import { CONSOLE } from '#app/routes.ts';
import { changed, parseSearch, stringifySearch, type UrlState } from '#app/url-state.ts';

function split(to: string) {
  const [path = '/', query = ''] = to.split('?');
  return { to: path, search: parseSearch(query) };
}

export interface GoProps extends AnchorProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly 'aria-label'?: string;
}

/** A link to a screen. */
export function Go({ to, ...rest }: GoProps) {
  return <Anchor {...rest} renderRoot={(props) => <Link {...split(to)} {...props} />} />;
}

interface PlainGoProps {
  readonly to: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** A link that costs next to nothing to draw: a long table has hundreds, and scrolls past them. */
export function PlainGo({ to, className, children }: PlainGoProps) {
  const go = useGo();
  const navigateInApp = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={addressOf(to)} className={`hf-link ${className}`} onClick={navigateInApp}>
      {children}
    </a>
  );
}

/** The link as an operator would share it. */
function addressOf(to: string): string {
  const { to: path, search } = split(to);
  const here = marketplaceIn(window.location.search);
  const words = here === undefined ? search : withMarketplace(search, here);
  return `${CONSOLE}${path}${stringifySearch(words)}`;
}

/** Goes to a screen, as a link would. */
export function useGo(): (to: string) => void {
  const navigate = useNavigate();
  return useCallback((to) => void navigate(split(to)), [navigate]);
}

/** A part of the path, such as the id in /orders/$id. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as UrlState;
  return params[name] ?? '';
}

/** The words after the question mark, and how to change some of them. */
export function useUrlState(): [
  UrlState,
  (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const state = useSearch({ strict: false }) as UrlState;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Readonly<Record<string, string | undefined>>) => {
      const search = (before: UrlState) => changed(before, changes);
      // A filter is no step on the way: Back leaves the screen.
      void navigate({ to: '.', search: search as never, replace: true });
    },
    [navigate],
  );
  return [state, change];
}
