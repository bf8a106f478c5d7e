import { describe, expect, it } from 'vitest';
import { policyRules } from './policy-rule.ts';
import { rulesText } from './rules-text.ts';
import { TooManyRulesError, uncoveredRules } from './uncovered-rules.ts';

const read = (rules: object[]) => policyRules({ metadata: {}, rules });
const missing = (held: object[], wanted: object[]) => rulesText(uncoveredRules(read(held), read(wanted)));
const on = (group: string, resources: string, verbs: string, names = '') => ({
  apiGroups: [group],
  resources: resources.split(','),
  verbs: verbs.split(','),
  ...(names !== '' && { resourceNames: names.split(',') }),
});
const urls = (paths: string, verbs: string) => ({ nonResourceURLs: paths.split(','), verbs: verbs.split(',') });

describe('uncoveredRules', () => {
  it.each([
    [[on('', 'pods', 'get,list')], [on('', 'pods', 'get')]],
    [[on('', 'pods', 'get'), on('', 'pods,nodes', 'list')], [on('', 'pods', 'get,list')]],
    [[on('*', '*', '*')], [on('apps', 'a,b/c', '*', 'x')]],
    [[on('', '*/scale', 'get')], [on('', 'pods/scale,*/scale', 'get')]],
    [[on('', 'pods', 'get')], [on('', 'pods', 'get', 'x')]],
    [[on('', 'pods', 'get', 'x'), on('', 'pods', 'get', 'y')], [on('', 'pods', 'get', 'x,y')]],
    [[urls('/a/*', '*')], [urls('/a/b,/a/*,/a/b/*', 'get')]],
    [[urls('*', 'get')], [urls('*,/x', 'get')]],
    [[], []],
    [[], [{ verbs: ['get'] }]],
  ])('%j covers %j', (held, wanted) => {
    expect(missing(held, wanted)).toBe('');
  });

  it.each([
    [[on('', 'pods', 'get')], [on('', 'pods', '*')], '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
    [[on('', 'pods', 'get')], [on('*', 'pods', 'get')], '{APIGroups:["*"], Resources:["pods"], Verbs:["get"]}'],
    [[on('', 'pods/log', 'get')], [on('', 'pods/*', 'get')], '{APIGroups:[""], Resources:["pods/*"], Verbs:["get"]}'],
    [[on('', 'pods/log', 'get')], [on('', '*/log', 'get')], '{APIGroups:[""], Resources:["*/log"], Verbs:["get"]}'],
    [[on('', 'pods', 'get', 'x')], [on('', 'pods', 'get')], '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    [
      [on('', 'pods', 'get', 'x')],
      [on('', 'pods', 'get,list', 'x,y')],
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["list"]}\n' +
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["y"], Verbs:["get" "list"]}',
    ],
    [[urls('/a/*', 'get')], [urls('/a', 'get')], '{NonResourceURLs:["/a"], Verbs:["get"]}'],
    [[on('*', '*', '*')], [urls('/a', 'get')], '{NonResourceURLs:["/a"], Verbs:["get"]}'],
    [[urls('*', '*')], [on('', 'pods', 'get')], '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    // Two rules together do not cover a third one.
    [
      [on('', 'pods', '*', 'x'), on('', '*', 'get')],
      [on('', 'pods', 'delete')],
      '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
    ],
    [
      [on('', 'pods', 'get')],
      [on('', 'pods,secrets', 'get,list'), urls('/x', 'get,put'), on('', 'secrets', 'watch'), urls('/x', 'get')],
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list" "watch"]}\n' +
        '{NonResourceURLs:["/x"], Verbs:["get"]}\n' +
        '{NonResourceURLs:["/x"], Verbs:["put"]}',
    ],
    [[], [on('', 'a"b', 'get')], '{APIGroups:[""], Resources:["a\\"b"], Verbs:["get"]}'],
  ])('%j does not cover all of %j', (held, wanted, expected) => {
    expect(missing(held, wanted)).toBe(expected);
  });

  it('gives up when the lists of a rule combine to millions, unless one rule covers them at once', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `n${index}`);
    const huge = { apiGroups: many, resources: many, verbs: many, resourceNames: many };
    expect(() => missing([on('', 'pods', 'get')], [huge])).toThrow(TooManyRulesError);
    expect(missing([on('*', '*', '*')], [huge])).toBe('');
  });
});
