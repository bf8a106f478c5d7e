import { expect, test } from 'vitest';
import { FieldSet, printPath } from './field-set.ts';
import { type Endpoint, fieldFilter } from './reset-fields.ts';

const everything = FieldSet.parse({
  'f:metadata': {
    'f:labels': { '.': {}, 'f:x': {} },
    'f:annotations': { 'f:y': {} },
    'f:ownerReferences': { 'k:{"uid":"1"}': {} },
  },
  'f:spec': {
    'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:resources': { 'f:limits': { 'f:cpu': {} } } } },
    'f:ephemeralContainers': { 'k:{"name":"e"}': {} },
    'f:replicas': {},
  },
  'f:status': { '.': {}, 'f:conditions': { 'k:{"type":"A"}': {} }, 'f:phase': {} },
});

const metadata = '.metadata.annotations.y .metadata.labels .metadata.labels.x .metadata.ownerReferences[uid="1"]';
const spec =
  '.spec.containers[name="c"] .spec.containers[name="c"].image .spec.containers[name="c"].resources.limits.cpu .spec.ephemeralContainers[name="e"] .spec.replicas';
const status = '.status .status.conditions[type="A"] .status.phase';

test.each<[string, Endpoint, string]>([
  ['main', { group: 'g', resource: 'r', subresource: '', hasStatus: true }, `${metadata} ${spec}`],
  [
    'main without a status',
    { group: 'g', resource: 'r', subresource: '', hasStatus: false },
    `${metadata} ${spec} ${status}`,
  ],
  ['status', { group: 'g', resource: 'r', subresource: 'status', hasStatus: true }, `${metadata} ${status}`],
  [
    'status of a custom resource',
    { group: 'g', resource: 'r', subresource: 'status', hasStatus: true, isCustom: true },
    status,
  ],
  [
    'status of deployments',
    { group: 'apps', resource: 'deployments', subresource: 'status', hasStatus: true },
    `.metadata.annotations.y .metadata.ownerReferences[uid="1"] ${status}`,
  ],
  [
    'status of validating admission policies',
    {
      group: 'admissionregistration.k8s.io',
      resource: 'validatingadmissionpolicies',
      subresource: 'status',
      hasStatus: true,
    },
    status,
  ],
  [
    'status of pods',
    { group: '', resource: 'pods', subresource: 'status', hasStatus: true },
    `.metadata.annotations.y .metadata.labels .metadata.labels.x ${status}`,
  ],
  [
    'resize of pods',
    { group: '', resource: 'pods', subresource: 'resize', hasStatus: true },
    `${metadata} ${spec} ${status}`,
  ],
  [
    'another subresource',
    { group: 'g', resource: 'r', subresource: 'scale', hasStatus: true },
    `${metadata} ${spec} ${status}`,
  ],
])('%s', (_title, endpoint, expected) => {
  const filter = fieldFilter(endpoint);
  expect(filter(everything).paths().map(printPath).join(' ')).toBe(expected);
  expect(fieldFilter({ ...endpoint })).toBe(filter);
});
