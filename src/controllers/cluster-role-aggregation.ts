import { type Informer, untilAborted } from '../client/index.ts';
import { isJsonEqual } from '../meta/json-object.ts';
import type { ResourceObject } from '../meta/object.ts';
import { type ObjectLabelSelector, objectLabelSelector } from '../meta/object-label-selector.ts';
import type { Controller } from './controller.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const clusterRoles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
/** The name of the controller, and the field manager of the rules. */
const controller = 'clusterrole-aggregation-controller';

interface ClusterRole extends ResourceObject {
  readonly rules?: readonly object[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly ObjectLabelSelector[] };
}

/** Copies rules into cluster roles with an aggregation rule from the roles that it selects. */
export const clusterRoleAggregation: Controller = {
  name: controller,
  aliases: ['clusterrole-aggregation'],

  async run({ client, informers, queue: makeQueue }, signal) {
    const roles = informers.informer<ClusterRole>(clusterRoles);
    roles.addIndex('aggregating', ({ metadata, aggregationRule }) =>
      aggregationRule === undefined ? [] : ['all', metadata.name ?? ''],
    );
    const queue = makeQueue(async (name) => {
      const role = roles.get('', name);
      if (role?.aggregationRule === undefined || role.metadata.deletionTimestamp !== undefined) return;
      const rules = aggregatedRules(roles, role);
      if (isJsonEqual(rules, role.rules ?? [])) return;
      const { uid, resourceVersion } = role.metadata;
      // Server-side apply makes this controller the only owner of the rules. The uid keeps it from recreating a deleted
      // role.
      const applied = { apiVersion, kind: 'ClusterRole', metadata: { name, uid, resourceVersion }, rules };
      const options = { type: 'apply', fieldManager: controller, force: true } as const;
      await client.resource(clusterRoles).patch(name, applied, options);
    });
    const enqueueAll = (): void => {
      for (const { metadata } of roles.byIndex('aggregating', 'all')) queue.add(metadata.name ?? '');
    };
    // An incomplete list would remove the rules of roles that have not been listed yet.
    await roles.synced;
    roles.addHandler({ updated: enqueueAll, deleted: enqueueAll, added: enqueueAll });
    await untilAborted(signal);
  },
};

/** The rules in the order of the selectors, then of the role names, without duplicates. */
function aggregatedRules(roles: Informer<ClusterRole>, { metadata, aggregationRule }: ClusterRole): object[] {
  const rules: object[] = [];
  const known = new Set<string>();
  const others = roles
    .list()
    .filter(({ metadata: { name } }) => name !== metadata.name)
    .sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
  for (const selector of (aggregationRule?.clusterRoleSelectors ?? []).map(objectLabelSelector)) {
    for (const role of others) {
      if (!selector.matches(role.metadata.labels)) continue;
      for (const rule of role.rules ?? []) {
        const text = JSON.stringify(rule);
        if (!known.has(text)) rules.push(rule);
        known.add(text);
      }
    }
  }
  return rules;
}
