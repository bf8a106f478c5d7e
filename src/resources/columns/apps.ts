import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { LabelSelector } from '../../schema/meta-types.ts';
import { rollbackAnnotation } from '../apps/deployment-defaults.ts';
import { templateGenerationAnnotation } from '../apps/template-generation.ts';
import type { PodTemplateSpec } from '../core/pod-types.ts';
import { age } from './ages.ts';
import {
  controllerRevisionDefinitions,
  daemonSetDefinitions,
  deploymentDefinitions,
  replicaSetDefinitions,
  statefulSetDefinitions,
} from './definitions/apps.ts';
import { labelsText, querySelector, selectorText } from './label-texts.ts';
import { containerCells, replicatedCells } from './pod-template-cells.ts';

interface Workload extends ResourceObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplateSpec;
  };
  readonly status?: Readonly<Record<string, number | undefined>>;
}

const deployment: TableColumns = {
  definitions: deploymentDefinitions,
  hiddenAnnotations: new Set([rollbackAnnotation]),
  cells(object, now) {
    const { metadata, spec, status } = object as Workload;
    return [
      metadata.name ?? '',
      `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      age(object, now),
      ...containerCells(spec?.template),
      // Unlike for other kinds, an empty selector is shown as an empty string.
      querySelector(spec?.selector) ?? '<invalid>',
    ];
  },
};

const replicaSet: TableColumns = {
  definitions: replicaSetDefinitions,
  cells: (object, now) => [
    ...replicatedCells(object as Workload, now),
    selectorText((object as Workload).spec?.selector),
  ],
};

const statefulSet: TableColumns = {
  definitions: statefulSetDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as Workload;
    const ready = `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
    return [metadata.name ?? '', ready, age(object, now), ...containerCells(spec?.template)];
  },
};

const daemonSet: TableColumns = {
  definitions: daemonSetDefinitions,
  hiddenAnnotations: new Set([templateGenerationAnnotation]),
  cells(object, now) {
    const { metadata, spec, status } = object as Workload;
    return [
      metadata.name ?? '',
      status?.desiredNumberScheduled ?? 0,
      status?.currentNumberScheduled ?? 0,
      status?.numberReady ?? 0,
      status?.updatedNumberScheduled ?? 0,
      status?.numberAvailable ?? 0,
      labelsText(spec?.template?.spec?.nodeSelector),
      age(object, now),
      ...containerCells(spec?.template),
      selectorText(spec?.selector),
    ];
  },
};

const controllerRevision: TableColumns = {
  definitions: controllerRevisionDefinitions,
  cells(object, now) {
    const { metadata, revision } = object as ResourceObject & { revision?: number };
    return [metadata.name ?? '', controllerText(object), revision ?? 0, age(object, now)];
  },
};

function controllerText({ metadata }: ResourceObject): string {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true);
  if (controller === undefined) return '<none>';
  const { apiVersion = '', kind = '', name = '' } = controller;
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : `.${apiVersion.slice(0, slash)}`;
  return `${`${kind}${group}`.toLowerCase()}/${name}`;
}

export const appsColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['apps/Deployment', deployment],
  ['apps/ReplicaSet', replicaSet],
  ['apps/StatefulSet', statefulSet],
  ['apps/DaemonSet', daemonSet],
  ['apps/ControllerRevision', controllerRevision],
]);
