/**
 * The objects without which requests could not be sorted at all. Their names are taken, and their specs are fixed; they
 * are in canonical form.
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

const flowSchemas: Readonly<Record<string, object>> = {
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

const priorityLevels: Readonly<Record<string, object>> = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  },
};

const texts = (specs: Readonly<Record<string, object>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(specs).map(([name, spec]) => [name, JSON.stringify(spec)]));

const flowSchemaTexts = texts(flowSchemas);
const priorityLevelTexts = texts(priorityLevels);

/** Undefined for names that are free. */
export function mandatoryFlowSchema(name: string): string | undefined {
  return flowSchemaTexts.get(name);
}

/** The same; the part `exempt` of the level with that name is free and left out. */
export function mandatoryPriorityLevel(name: string): string | undefined {
  return priorityLevelTexts.get(name);
}
