import { describe, expect, it } from 'vitest';
import { field, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { JSONSchemaProps } from '../apiextensions/json-schema-types.ts';
import { DaemonSetUpdateStrategy } from '../apps/daemon-set-types.ts';
import { DeploymentStrategy } from '../apps/deployment-types.ts';
import { StatefulSetUpdateStrategy } from '../apps/stateful-set-types.ts';
import { PersistentVolumeSource } from '../core/persistent-volume-source-types.ts';
import { PersistentVolumeSpec } from '../core/persistent-volume-types.ts';
import { PodTemplateSpec } from '../core/pod-types.ts';
import { ServicePort } from '../core/service-types.ts';
import { Volume } from '../core/volume-types.ts';
import { FlowSchemaSpec } from '../flowcontrol/flow-schema-types.ts';
import { DeviceAttribute } from '../resource/resource-slice-types.ts';
import { internalValue } from './internal-value.ts';
import { isSameOfType } from './same-of-type.ts';

const StorageObject = struct('test/v1.T', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PersistentVolumeSpec),
}));

describe('internalValue', () => {
  it('distinguishes empty lists and maps of a request from absent ones', () => {
    const { normalize } = compileKind({ schema: StorageObject, kind: 'T', apiVersion: 'v1' });
    const { spec } = normalize({ spec: { accessModes: [], capacity: {} } }, new Findings());
    const internal = internalValue(PersistentVolumeSpec, spec);
    expect(internal).toMatchObject({ Capacity: {}, AccessModes: [], MountOptions: null });
    expect(isSameOfType(PersistentVolumeSpec, spec, {})).toBe(true);
    expect(isSameOfType(PersistentVolumeSpec, spec, { accessModes: ['ReadWriteOnce'] })).toBe(false);
  });

  it('shows empty fields under their Go names', () => {
    expect(JSON.stringify(internalValue(FlowSchemaSpec, { rules: [{ subjects: null, resourceRules: [{}] }] }))).toBe(
      '{"PriorityLevelConfiguration":{"Name":""},"MatchingPrecedence":0,"DistinguisherMethod":null,"Rules":[' +
        '{"Subjects":null,"ResourceRules":[{"Verbs":null,"APIGroups":null,"Resources":null,"ClusterScope":false,' +
        '"Namespaces":null}],"NonResourceRules":null}]}',
    );
  });

  it('shows the metadata of a template as JSON, and host namespaces in the security context', () => {
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', tty: true }], hostPID: true, securityContext: {}, hostUsers: false },
    };
    const internal = internalValue(PodTemplateSpec, template) as { labels: object; Spec: Record<string, unknown> };
    expect(internal.labels).toEqual({ a: 'b' });
    expect(internal.Spec.Containers).toMatchObject([{ Name: 'c', Image: '', TTY: true, Env: null }]);
    expect(internal.Spec.SecurityContext).toMatchObject({ HostNetwork: false, HostPID: true, HostUsers: false });
    expect(internal.Spec).not.toHaveProperty('HostPID');
  });

  it.each([
    [
      'a renamed field of one type',
      PersistentVolumeSource,
      { rbd: { image: 'i', monitors: ['m'] } },
      'RBD',
      'RBDImage',
    ],
    ['the same field elsewhere', Volume, { image: { reference: 'r' } }, 'Image', 'Reference'],
    ['a pointer that the internal type holds as a value', Volume, tokenVolume(), 'Projected', '"ExpirationSeconds":0'],
    ['a value among several', DeviceAttribute, { int: 1n }, 'IntValue', '"IntValue":1'],
    ['a keyword of a JSON schema', JSONSchemaProps, { 'x-kubernetes-list-type': 'set' }, 'XListType', '"set"'],
    ['a schema in the place of a boolean', JSONSchemaProps, { additionalProperties: {} }, 'Allows', '"Allows":true'],
    [
      'a list in the place of a schema',
      JSONSchemaProps,
      { items: [{}] },
      'JSONSchemas',
      '{"Schema":null,"JSONSchemas":[{',
    ],
    [
      'a free value in the order of its keys',
      JSONSchemaProps,
      { default: { b: 1, a: 2n } },
      'Default',
      '{"a":2,"b":1}',
    ],
  ])('shows %s', (_, schema, value, name, text) => {
    const printed = JSON.stringify(internalValue(schema, value));
    expect(printed).toContain(`"${name}":`);
    expect(printed).toContain(text);
  });

  it.each([
    ['{"Type":"x","RollingUpdate":null}', DaemonSetUpdateStrategy, { type: 'x' }],
    [
      '{"Type":"","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":"5%"}}',
      DaemonSetUpdateStrategy,
      { rollingUpdate: { maxSurge: '5%' } },
    ],
    [
      '{"Type":"x","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":0}}',
      DeploymentStrategy,
      { type: 'x', rollingUpdate: {} },
    ],
    [
      '{"Type":"x","RollingUpdate":{"Partition":0,"MaxUnavailable":null}}',
      StatefulSetUpdateStrategy,
      { type: 'x', rollingUpdate: {} },
    ],
    [
      '{"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ServicePort,
      { protocol: 'TCP', port: 80 },
    ],
  ])('shows all fields: %s', (text, schema, value) => {
    expect(JSON.stringify(internalValue(schema, value))).toBe(text);
  });

  it('keeps the order of the internal type', () => {
    const names = Object.keys(internalValue(PersistentVolumeSource, {}) as object);
    expect(names.indexOf('Quobyte')).toBeLessThan(names.indexOf('ISCSI'));
    expect(Object.keys(internalValue(JSONSchemaProps, {}) as object).slice(4, 7)).toEqual([
      'Type',
      'Nullable',
      'Format',
    ]);
  });
});

function tokenVolume() {
  return { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
}
