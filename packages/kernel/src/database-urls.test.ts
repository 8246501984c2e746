import { expect, it } from 'vitest';
import { databaseUrls } from './database-urls.ts';

it.each([
  ['postgres://a:b@h1:1,h2:2/c', ['postgres://a:b@h1:1/c', 'postgres://a:b@h2:2/c']],
  [
    'postgresql://a@h1,[::1]:2,h3/c?target_session_attrs=read-write&sslmode=verify-full',
    ['h1', '[::1]:2', 'h3'].map((host) => `postgresql://a@${host}/c?sslmode=verify-full`),
  ],
  [
    'postgres://h1,h2/c?sslmode=verify-full&target_session_attrs=primary',
    ['postgres://h1/c?sslmode=verify-full', 'postgres://h2/c?sslmode=verify-full'],
  ],
  ['postgres://h1,h2/c?target_session_attrs=any', ['postgres://h1/c', 'postgres://h2/c']],
  ['postgres://a:b,c@h1:1/d?e=f,g', ['postgres://a:b,c@h1:1/d?e=f,g']],
  ['postgres:///c?host=/run/a', ['postgres:///c?host=/run/a']],
  ['/run/postgresql c', ['/run/postgresql c']],
])('reads %s', (url, urls) => expect(databaseUrls(url)).toEqual(urls));
