import { isDeepStrictEqual } from 'node:util';
import { type Informer, untilAborted } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { type ObjectLabelSelector, objectLabelSelector } from '../meta/object-label-selector.ts';
import type { Controller } from './controller.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const clusterRoles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
/** Its name, also as the owner of the rules. */
const controller = 'clusterrole-aggregation-controller';

interface ClusterRole extends ResourceObject {
  readonly rules?: readonly object[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly ObjectLabelSelector[] };
}

/** Gives cluster roles that gather others the rules of those. */
export const clusterRoleAggregation: Controller = {
  name: controller,
  aliases: ['clusterrole-aggregation'],

  async run({ client, informers, queue: makeQueue }, signal) {
    const roles = informers.informer<ClusterRole>(clusterRoles);
    roles.addIndex('gathering', ({ metadata, aggregationRule }) =>
      aggregationRule === undefined ? [] : ['all', metadata.name ?? ''],
    );
    const queue = makeQueue(async (name) => {
      const role = roles.get('', name);
      if (role?.aggregationRule === undefined || role.metadata.deletionTimestamp !== undefined) return;
      const rules = gathered(roles, role);
      if (isDeepStrictEqual(rules, role.rules ?? [])) return;
      const { uid, resourceVersion } = role.metadata;
      // Applied, so that the rules have one owner; the uid keeps it from making a role that is gone.
      const applied = { apiVersion, kind: 'ClusterRole', metadata: { name, uid, resourceVersion }, rules };
      const options = { type: 'apply', fieldManager: controller, force: true } as const;
      await client.resource(clusterRoles).patch(name, applied, options);
    });
    const lookAtAll = (): void => {
      for (const { metadata } of roles.byIndex('gathering', 'all')) queue.add(metadata.name ?? '');
    };
    // Before that, roles would lose the rules of those that have not been seen yet.
    await roles.synced;
    roles.addHandler({ updated: lookAtAll, deleted: lookAtAll, added: lookAtAll });
    await untilAborted(signal);
  },
};

/** In the order of the selectors and, for each, of the names; equal rules once. */
function gathered(roles: Informer<ClusterRole>, { metadata, aggregationRule }: ClusterRole): object[] {
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
