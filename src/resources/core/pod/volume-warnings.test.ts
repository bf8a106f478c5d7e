import { expect, it } from 'vitest';
import type { Volume } from '../volume-types.ts';
import { volumeWarnings } from './volume-warnings.ts';

const items = (...paths: string[]) => paths.map((path) => ({ key: 'k', path }));
const projected = (...sources: object[]) => ({ name: 'v', projected: { sources } });
const token = { serviceAccountToken: { path: 'a/b' } };

it.each<[string, object, string[]]>([
  ['one file', { name: 'v', configMap: { name: 'c', items: items('a') } }, []],
  [
    'a file twice',
    { name: 'v', configMap: { name: 'c', items: items('a', 'b', 'a/') } },
    ['volume "v" (ConfigMap "c"): overlapping paths: "a" with "a"'],
  ],
  [
    'a file that is a directory',
    { name: 'v"', secret: { secretName: 's\n', items: items('a', 'a/b') } },
    ['volume "v\\"" (Secret "s\\n"): overlapping paths: "a/b" with "a"'],
  ],
  [
    'a source without a name',
    { name: 'v', secret: { items: items('a', 'a') } },
    ['volume "v" (Secret ""): overlapping paths: "a" with "a"'],
  ],
  [
    'fields',
    { name: 'v', downwardAPI: { items: items('a', 'a') } },
    ['volume "v" (DownwardAPI): overlapping paths: "a" with "a"'],
  ],
  ['different sources', projected({ configMap: { name: 'c', items: items('c') } }, token), []],
  [
    'overlapping sources',
    projected({ configMap: { name: 'c', items: items('a') } }, token),
    ['volume "v" (Projected ServiceAccountToken): overlapping paths: "a/b" with "a"'],
  ],
  [
    'overlaps in one source',
    projected({ secret: { name: 's', items: items('a', 'a/b') } }),
    [
      'volume "v" (Projected Secret "s"): overlapping paths: "a/b" with "a"',
      'volume "v" (Projected Secret "s"): overlapping paths: "a/b" with "a"',
    ],
  ],
  [
    'a directory with slashes',
    projected({ configMap: { name: 'c', items: items('a//') } }, token),
    ['volume "v" (Projected ServiceAccountToken): overlapping paths: "a/b" with "a"'],
  ],
  [
    'many sources',
    projected(...'abcdefghij'.split('').map((path) => ({ secret: { name: 's', items: items(path) } })), token),
    ['volume "v" (Projected ServiceAccountToken): overlapping paths: "a/b" with "a"'],
  ],
  ['a source without anything', projected({}), ['volume "v" (Projected) has no sources provided']],
])('warns of the files of a volume: %s', (_what, volume, warnings) => {
  expect(volumeWarnings([volume as Volume], 'spec.volumes')).toEqual(warnings);
});
