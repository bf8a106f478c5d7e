import { componentRoles } from './component-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { nodeRoles } from './node-roles.ts';
import { aggregatedRole, type Role, role } from './policy-object.ts';
import { userRoles } from './user-roles.ts';

const aggregateTo = (name: string) => `rbac.authorization.k8s.io/aggregate-to-${name}`;

/** `view` is aggregated to `edit`, and `edit` to `admin`. */
const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  edit: { [aggregateTo('admin')]: 'true' },
  view: { [aggregateTo('edit')]: 'true' },
  'system:aggregate-to-admin': { [aggregateTo('admin')]: 'true' },
  'system:aggregate-to-edit': { [aggregateTo('edit')]: 'true' },
  'system:aggregate-to-view': { [aggregateTo('view')]: 'true' },
};

const meta = (name: string) => ({ name, ...(labels[name] && { labels: labels[name] }) });

export const controllerRoleName = (controller: string) => `system:controller:${controller}`;

export const clusterRoles: readonly Role[] = [
  ...['admin', 'edit', 'view'].map((name) => aggregatedRole(meta(name), aggregateTo(name))),
  ...Object.entries({ ...userRoles, ...componentRoles, ...nodeRoles }).map(([name, rules]) => role(meta(name), rules)),
  ...Object.entries(controllerRoles).map(([name, rules]) => role(meta(controllerRoleName(name)), rules)),
];
