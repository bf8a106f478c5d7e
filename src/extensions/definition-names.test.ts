import { expect, it } from 'vitest';
import { decideNames } from './definition-names.ts';

const wanted = { plural: 'lamps', singular: 'lamp', shortNames: ['l', 'lp'], kind: 'Lamp', listKind: 'LampList' };
const nothing = { resources: new Set<string>(), kinds: new Set<string>() };
const taken = (resources: string[], kinds: string[] = []) => ({
  resources: new Set(resources),
  kinds: new Set(kinds),
});

it('accepts all names of a definition without conflicts', () => {
  expect(decideNames({ ...wanted, categories: ['all'] }, {}, nothing)).toEqual({
    accepted: { ...wanted, categories: ['all'] },
    conflict: undefined,
  });
});

it.each([
  ['a plural', taken(['lamps']), 'PluralConflict', '"lamps" is already in use', 'plural'],
  ['a singular', taken(['lamp']), 'SingularConflict', '"lamp" is already in use', 'singular'],
  ['a short name', taken(['lp']), 'ShortNamesConflict', '"lp" is already in use', 'shortNames'],
  [
    'two short names',
    taken(['l', 'lp']),
    'ShortNamesConflict',
    '["l" is already in use, "lp" is already in use]',
    'shortNames',
  ],
  ['a kind', taken([], ['Lamp']), 'KindConflict', '"Lamp" is already in use', 'kind'],
  ['the kind of lists', taken([], ['LampList']), 'ListKindConflict', '"LampList" is already in use', 'listKind'],
])('refuses %s that is taken and accepts the rest', (_what, names, reason, message, field) => {
  const { [field as keyof typeof wanted]: _refused, ...accepted } = wanted;
  expect(decideNames(wanted, {}, names)).toEqual({ accepted, conflict: { reason, message } });
});

it('reports the last of several conflicts', () => {
  expect(decideNames(wanted, {}, taken(['lamps'], ['Lamp'])).conflict?.reason).toBe('KindConflict');
});

it('keeps an accepted name while another one is refused', () => {
  const current = { ...wanted, kind: 'OldLamp' };
  expect(decideNames(wanted, current, taken([], ['Lamp'])).accepted).toEqual(current);
});

it('gives up a name that is not wanted any more', () => {
  const { shortNames: _shortNames, ...rest } = wanted;
  expect(decideNames(rest, wanted, nothing).accepted).toEqual(rest);
});
