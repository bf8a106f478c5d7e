import { expect, test } from 'vitest';
import { definitionName } from './definition-name.ts';

test.each([
  ['core/v1.PodSpec', 'io.k8s.api.core.v1.PodSpec'],
  ['rbac/v1.Role', 'io.k8s.api.rbac.v1.Role'],
  ['meta/v1.ObjectMeta', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'],
  ['apiextensions/v1.JSON', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON'],
  ['apiregistration/v1.APIService', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService'],
  ['stable.example.com/v1.CronTab', 'com.example.stable.v1.CronTab'],
])('%s is %s', (typeName, name) => {
  expect(definitionName(typeName)).toBe(name);
});
