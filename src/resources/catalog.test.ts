import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { builtInKinds, builtInResources, groupOrder, optionalResources } from './index.ts';

const everyResource = [...builtInResources, ...optionalResources];

describe('definitions of the built-in resources', () => {
  it('name each resource of a group version once', () => {
    const names = everyResource.map(({ group, version, resource }) => `${group}/${version}/${resource}`);
    expect(names).toHaveLength(new Set(names).size);
  });

  it('follow the group order', () => {
    const served = new Set(everyResource.map(({ group, version }) => `${group}/${version}`));
    served.delete('/v1');
    const ordered = groupOrder.flatMap(({ group, versions }) =>
      Object.keys(versions).map((version) => `${group}/${version}`),
    );
    expect([...ordered].sort()).toEqual([...served].sort());
    expect(groupOrder.map(({ group }) => group)).toHaveLength(new Set(groupOrder.map(({ group }) => group)).size);
  });

  it('have a schema for the kind of every subresource', () => {
    const kinds = new Set(
      [...everyResource, ...builtInKinds].map(({ group, version, kind }) => `${group}/${version}/${kind}`),
    );
    const missing = everyResource.flatMap((parent) =>
      parent.subresources
        .map(({ kind, groupVersion: { group, version } = parent }) => `${group}/${version}/${kind}`)
        .filter((kind) => !kinds.has(kind)),
    );
    expect(missing).toEqual([]);
  });

  it('list verbs and subresources in order', () => {
    for (const { verbs, subresources } of everyResource) {
      expect(verbs).toEqual([...verbs].sort());
      const names = subresources.map(({ name }) => name);
      expect(names).toEqual([...names].sort());
      for (const subresource of subresources) {
        expect(subresource.verbs).toEqual([...subresource.verbs].sort());
      }
    }
  });

  it('share a storage key between the versions of a type, and between no two types', () => {
    const byPrefix = Map.groupBy(
      everyResource.flatMap(({ storage }) => storage ?? []),
      ({ keyPrefix }) => keyPrefix,
    );
    for (const layouts of byPrefix.values()) {
      expect(new Set(layouts.map(({ group, version, kind }) => `${group}/${version}/${kind}`)).size).toBe(1);
      expect(layouts.filter(({ conversion }) => !conversion)).toHaveLength(1);
    }
  });

  it.each([
    ['', 17],
    ['apps', 5],
    ['batch', 2],
    ['autoscaling', 2],
    ['networking.k8s.io', 5],
    ['policy', 1],
    ['rbac.authorization.k8s.io', 4],
    ['storage.k8s.io', 6],
    ['coordination.k8s.io', 1],
    ['discovery.k8s.io', 1],
    ['events.k8s.io', 1],
    ['scheduling.k8s.io', 1],
    ['node.k8s.io', 1],
    ['certificates.k8s.io', 1],
    ['admissionregistration.k8s.io', 6],
    ['apiextensions.k8s.io', 1],
    ['apiregistration.k8s.io', 1],
    ['authentication.k8s.io', 2],
    ['authorization.k8s.io', 4],
    ['flowcontrol.apiserver.k8s.io', 2],
    ['resource.k8s.io', 4],
  ])('are complete in group "%s": %i', (group, count) => {
    expect(builtInResources.filter((definition) => definition.group === group)).toHaveLength(count);
  });
});

it('serves only stable versions by default', () => {
  expect(builtInResources.filter(({ version }) => /alpha|beta/.test(version))).toEqual([]);
  expect(optionalResources.filter(({ version }) => !/alpha|beta/.test(version))).toEqual([]);
  expect(optionalResources).toHaveLength(27);
});

describe('storage of the built-in resources', () => {
  // The hashes that kube-apiserver publishes in discovery.
  it.each([
    ['', 'v1', 'pods', 'pods', 'xPOwRZ+Yhw8='],
    ['', 'v1', 'services', 'services/specs', '0/CO1lhkEBI='],
    ['', 'v1', 'endpoints', 'services/endpoints', 'fWeeMqaN/OA='],
    ['', 'v1', 'nodes', 'minions', 'XwShjMxG9Fs='],
    ['', 'v1', 'replicationcontrollers', 'controllers', 'Jond2If31h0='],
    ['', 'v1', 'events', 'events', 'r2yiGXH7wu8='],
    ['events.k8s.io', 'v1', 'events', 'events', 'r2yiGXH7wu8='],
    ['apps', 'v1', 'deployments', 'deployments', '8aSe+NMegvE='],
    ['autoscaling', 'v1', 'horizontalpodautoscalers', 'horizontalpodautoscalers', 'qwQve8ut294='],
    ['autoscaling', 'v2', 'horizontalpodautoscalers', 'horizontalpodautoscalers', 'qwQve8ut294='],
    ['networking.k8s.io', 'v1', 'ingresses', 'ingress', '39NQlfNR+bo='],
    ['coordination.k8s.io', 'v1', 'leases', 'leases', 'gqkMMb/YqFM='],
    ['admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies', 'mutatingadmissionpolicies', 'LYmCf+UMVdg='],
    [
      'apiextensions.k8s.io',
      'v1',
      'customresourcedefinitions',
      'apiextensions.k8s.io/customresourcedefinitions',
      'jfWCUB31mvA=',
    ],
    [
      'admissionregistration.k8s.io',
      'v1alpha1',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicies',
      'LYmCf+UMVdg=',
    ],
    ['certificates.k8s.io', 'v1alpha1', 'clustertrustbundles', 'clustertrustbundles', 'v5yhuVertL4='],
    ['certificates.k8s.io', 'v1beta1', 'clustertrustbundles', 'clustertrustbundles', 'v5yhuVertL4='],
    ['certificates.k8s.io', 'v1beta1', 'podcertificaterequests', 'podcertificaterequests', 'wYA9yXQH8fg='],
    ['coordination.k8s.io', 'v1alpha2', 'leasecandidates', 'leasecandidates', 'lvME0iHWE20='],
    ['internal.apiserver.k8s.io', 'v1alpha1', 'storageversions', 'storageversions', 'c8YZt5U0nPk='],
    ['networking.k8s.io', 'v1beta1', 'ipaddresses', 'ipaddresses', '3f/plJFChNE='],
    ['resource.k8s.io', 'v1beta2', 'devicetaintrules', 'devicetaintrules', 'DJ3UJ0fj8MI='],
    ['resource.k8s.io', 'v1alpha3', 'resourcepoolstatusrequests', 'resourcepoolstatusrequests', 'iy583CtMwdY='],
    ['resource.k8s.io', 'v1beta1', 'resourceslices', 'resourceslices', 'KsC072WgaEY='],
    ['scheduling.k8s.io', 'v1alpha2', 'podgroups', 'podgroups', 'YYgX3v5V204='],
    ['scheduling.k8s.io', 'v1alpha2', 'workloads', 'workloads', 'vSX7gJe5Mx8='],
    ['storage.k8s.io', 'v1beta1', 'volumeattributesclasses', 'volumeattributesclasses', 'tIjydgKBC5w='],
    ['storagemigration.k8s.io', 'v1beta1', 'storageversionmigrations', 'storageversionmigrations', 'pCjmmKOkLy4='],
    ['apiregistration.k8s.io', 'v1', 'apiservices', 'apiregistration.k8s.io/apiservices', 'InPBPD7+PqM='],
  ])('is, for "%s" %s %s, %s with hash %s', (group, version, resource, keyPrefix, hash) => {
    const storage = find(group, version, resource)?.storage;
    expect(storage?.keyPrefix).toBe(keyPrefix);
    const text = `${storage?.group}/${storage?.hashVersion ?? storage?.version}/${storage?.kind}`;
    expect(createHash('sha256').update(text).digest().subarray(0, 8).toString('base64')).toBe(hash);
  });

  it('is undefined for types that are never stored', () => {
    const virtual = builtInResources.filter(({ storage }) => !storage).map(({ resource }) => resource);
    expect(virtual).toEqual([
      'bindings',
      'componentstatuses',
      'selfsubjectreviews',
      'tokenreviews',
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ]);
  });
});

describe('columns', () => {
  it.each([
    ['apps', 'v1', 'deployments', '', ['Name', 'Ready', 'Up-to-date']],
    ['apps', 'v1', 'deployments', 'scale', ['Name', 'Desired', 'Available']],
    ['autoscaling', 'v1', 'horizontalpodautoscalers', '', ['Name', 'Reference', 'Targets']],
    ['', 'v1', 'limitranges', '', undefined],
    ['', 'v1', 'pods', 'eviction', undefined],
  ])('are, for "%s" %s, %s %s', (group, version, resource, subresource, names) => {
    const definition = find(group, version, resource);
    const owner = subresource === '' ? definition : definition?.subresources.find(({ name }) => name === subresource);
    expect(owner).toBeDefined();
    expect(
      owner
        ?.columns?.()
        ?.definitions.map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(names);
  });
});

function find(group: string, version: string, resource: string) {
  return everyResource.find(
    (definition) => definition.group === group && definition.version === version && definition.resource === resource,
  );
}
