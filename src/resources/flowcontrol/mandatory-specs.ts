/**
 * The specs of the mandatory objects, which make sure that every request matches a flow schema. The names are reserved
 * and the specs are immutable. They are in canonical form, because specs are compared as JSON text.
 */
const everyResource = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};
const everyPath = { verbs: ['*'], nonResourceURLs: ['*'] };

const group = (name: string) => ({ kind: 'Group', group: { name } });

export const mandatoryFlowSchemas: Readonly<Record<string, object>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [{ subjects: [group('system:masters')], resourceRules: [everyResource], nonResourceRules: [everyPath] }],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [group('system:unauthenticated'), group('system:authenticated')],
        resourceRules: [everyResource],
        nonResourceRules: [everyPath],
      },
    ],
  },
};

export const mandatoryPriorityLevels: Readonly<Record<string, object>> = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  },
};

const texts = (specs: Readonly<Record<string, object>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(specs).map(([name, spec]) => [name, JSON.stringify(spec)]));

const flowSchemaTexts = texts(mandatoryFlowSchemas);
const priorityLevelTexts = texts(mandatoryPriorityLevels);

/** Returns undefined for names that are not reserved. */
export function mandatoryFlowSchema(name: string): string | undefined {
  return flowSchemaTexts.get(name);
}

/** Returns undefined for names that are not reserved. The level `exempt` omits `spec.exempt`, which is mutable. */
export function mandatoryPriorityLevel(name: string): string | undefined {
  return priorityLevelTexts.get(name);
}
