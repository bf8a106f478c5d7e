import { expect, it } from 'vitest';
import { missingRules } from './missing-rules.ts';
import { core, type PolicyRule, read, rule, urls, withNames } from './policy-rule.ts';

interface Case {
  readonly present: readonly PolicyRule[];
  readonly wanted: readonly PolicyRule[];
  readonly missing: readonly PolicyRule[];
}

const cases: Readonly<Record<string, Case>> = {
  'nothing of what is there': { present: [read(core, 'pods')], wanted: [read(core, 'pods')], missing: [] },
  'nothing that stars stand for': {
    present: [rule('*', '*', '*'), urls('*', '*')],
    wanted: [read('apps', 'deployments/scale'), urls('/healthz /livez/ping')],
    missing: [],
  },
  'all of an empty role': {
    present: [],
    wanted: [rule('get list', core, 'pods')],
    missing: [rule('get', core, 'pods'), rule('list', core, 'pods')],
  },
  'only the rest of a rule': {
    present: [rule('get list', core, 'pods'), rule('get', 'apps', 'deployments')],
    wanted: [rule('get', 'apps extensions', 'deployments'), rule('get update', core, 'pods services')],
    missing: [
      rule('get', 'extensions', 'deployments'),
      rule('update', core, 'pods'),
      rule('get', core, 'services'),
      rule('update', core, 'services'),
    ],
  },
  'the names that are not there': {
    present: [withNames(rule('get', core, 'configmaps'), 'a')],
    wanted: [withNames(rule('get', core, 'configmaps'), 'a', 'b')],
    missing: [withNames(rule('get', core, 'configmaps'), 'b')],
  },
  'paths that no pattern begins': {
    present: [urls('/livez/* /metrics')],
    wanted: [urls('/livez /livez/ping /metrics', 'get post')],
    missing: [urls('/livez'), urls('/livez', 'post'), urls('/livez/ping', 'post'), urls('/metrics', 'post')],
  },
};

it.each(Object.entries(cases))('finds missing %s', (_about, { present, wanted, missing }) => {
  const role = (rules: readonly PolicyRule[]) => ({ metadata: {}, rules });
  expect(missingRules(role(present), role(wanted))).toEqual(missing);
  // After adding them nothing is missing.
  expect(missingRules(role([...present, ...missing]), role(wanted))).toEqual([]);
});
