import type { GroupKind } from '../../meta/group-version.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { admissionregistrationColumns } from './admissionregistration.ts';
import { apiregistrationColumns } from './apiregistration.ts';
import { apiserverinternalColumns } from './apiserverinternal.ts';
import { appsColumns } from './apps.ts';
import { autoscalingColumns } from './autoscaling.ts';
import { batchColumns } from './batch.ts';
import { certificatesColumns } from './certificates.ts';
import { coordinationColumns } from './coordination.ts';
import { coreColumns } from './core.ts';
import { discoveryColumns } from './discovery.ts';
import { regardingEventColumns } from './event.ts';
import { flowcontrolColumns } from './flowcontrol.ts';
import { networkingColumns } from './networking.ts';
import { nodeGroupColumns } from './node-group.ts';
import { policyColumns } from './policy.ts';
import { rbacColumns } from './rbac.ts';
import { resourceColumns } from './resource.ts';
import { schedulingColumns } from './scheduling.ts';
import { storageColumns } from './storage.ts';
import { storagemigrationColumns } from './storagemigration.ts';

/**
 * Table columns of the built-in kinds. `definitions/` contains the column definitions, and one file per group computes
 * the cells. Content negotiation and encoding of tables are in `http`.
 */

/** Keyed by `<group>/<kind>`. The name of the core group is empty. */
const columns: ReadonlyMap<string, TableColumns> = new Map([
  ...coreColumns,
  ...appsColumns,
  ...batchColumns,
  ...autoscalingColumns,
  ...networkingColumns,
  ...discoveryColumns,
  ...storageColumns,
  ...rbacColumns,
  ...policyColumns,
  ...schedulingColumns,
  ...nodeGroupColumns,
  ...coordinationColumns,
  ...certificatesColumns,
  ...admissionregistrationColumns,
  ...flowcontrolColumns,
  ...resourceColumns,
  ...apiregistrationColumns,
  ...apiserverinternalColumns,
  ...storagemigrationColumns,
  ['events.k8s.io/Event', regardingEventColumns],
]);

/** Returns undefined for kinds with the default columns. */
export function columnsOf({ group, kind }: GroupKind): TableColumns | undefined {
  return columns.get(`${group}/${kind}`);
}
