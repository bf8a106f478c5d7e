import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../../meta/names.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { validateLabels } from '../../../meta/validate-labels.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { validateIp, validateNonSpecialIp } from '../../validation/addresses.ts';
import { internalValue } from '../../validation/internal-value.ts';
import { ServicePort, ServiceSpec } from '../service-types.ts';
import { validateClusterIps } from './cluster-ip-validation.ts';
import { validateLoadBalancerFields } from './load-balancer-validation.ts';
import {
  validateAppProtocol,
  validateDnsLabel,
  validatePortNumber,
  validatePortNumberOrName,
  validateProtocol,
} from './port-syntax.ts';
import {
  isExternallyAccessible,
  isHeadless,
  needsClusterIp,
  needsHealthCheckNodePort,
  specOf,
} from './service-spec.ts';

const types = enumOf(ServiceSpec, 'type');
const affinities = enumOf(ServiceSpec, 'sessionAffinity');
const trafficPolicies = enumOf(ServiceSpec, 'externalTrafficPolicy');
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const kubeletPort = 10_250;
const maxAffinitySeconds = 86_400;

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const modeAnnotation = 'service.kubernetes.io/topology-mode';

export function validateService(object: ResourceObject, oldObject?: ResourceObject): FieldError[] {
  const spec = specOf(object);
  const storedSpec = oldObject && specOf(oldObject);
  const { ports = [] } = spec;
  const errors = topologyErrors(object);
  if (ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') errors.push(requiredValue('spec.ports'));
  errors.push(...typeErrors(spec));
  const names = new Set<string>();
  for (let index = 0; index < ports.length; index++) {
    validatePort(ports[index]!, `spec.ports[${index}]`, { errors, names, requireName: ports.length > 1 });
  }
  if (spec.selector !== undefined) errors.push(...validateLabels(spec.selector, 'spec.selector'));
  errors.push(...affinityErrors(spec));
  errors.push(...validateClusterIps(spec, storedSpec));
  errors.push(...externalIpErrors(spec, storedSpec));
  if (!spec.type) errors.push(requiredValue('spec.type'));
  else if (!types.includes(spec.type)) errors.push(notSupportedValue('spec.type', spec.type, types));
  errors.push(...portCollisions(spec));
  errors.push(...validateLoadBalancerFields(object, oldObject));
  errors.push(...externalPolicyErrors(spec));
  errors.push(...internalPolicyErrors(spec));
  if (spec.trafficDistribution !== undefined && !distributions.includes(spec.trafficDistribution)) {
    errors.push(notSupportedValue('spec.trafficDistribution', spec.trafficDistribution, distributions));
  }
  return errors;
}

function topologyErrors({ metadata }: ResourceObject): FieldError[] {
  const mode = metadata.annotations?.[modeAnnotation];
  const hints = metadata.annotations?.[hintsAnnotation];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  const detail = `must match annotations[${hintsAnnotation}] when both are specified`;
  return [invalidValue(`metadata.annotations[${modeAnnotation}]`, mode, detail)];
}

function typeErrors(spec: ServiceSpec): FieldError[] {
  const { type, ports = [] } = spec;
  if (type === 'ExternalName') return externalNameErrors(spec);
  if (type !== 'LoadBalancer' && type !== 'NodePort') return [];
  const errors: FieldError[] = [];
  for (let index = 0; type === 'LoadBalancer' && index < ports.length; index++) {
    if (ports[index]!.port !== kubeletPort) continue;
    const detail = `may not expose port ${kubeletPort} externally since it is used by kubelet`;
    errors.push(invalidValue(`spec.ports[${index}]`, kubeletPort, detail));
  }
  if (isHeadless(spec)) {
    errors.push(invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  return errors;
}

function externalNameErrors({ clusterIPs, ipFamilies, ipFamilyPolicy, externalName = '' }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (field: string) => errors.push(forbiddenValue(field, 'may not be set for ExternalName services'));
  if (clusterIPs?.length) forbid('spec.clusterIPs');
  if (ipFamilies?.length) forbid('spec.ipFamilies');
  if (ipFamilyPolicy !== undefined) forbid('spec.ipFamilyPolicy');
  // A trailing dot marks a fully qualified domain name.
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName;
  if (name === '') errors.push(requiredValue('spec.externalName'));
  for (const detail of name === '' ? [] : dnsSubdomainErrors(name)) {
    errors.push(invalidValue('spec.externalName', name, detail));
  }
  return errors;
}

interface PortErrors {
  readonly errors: FieldError[];
  readonly names: Set<string>;
  readonly requireName: boolean;
}

function validatePort(port: ServicePort, path: string, { errors, names, requireName }: PortErrors): void {
  if (port.name) {
    errors.push(...validateDnsLabel(port.name, `${path}.name`));
    if (names.has(port.name)) errors.push(duplicateValue(`${path}.name`, port.name));
    names.add(port.name);
  } else if (requireName) {
    errors.push(requiredValue(`${path}.name`));
  }
  errors.push(...validatePortNumber(port.port, `${path}.port`));
  errors.push(...validateProtocol(port.protocol, `${path}.protocol`));
  errors.push(...validatePortNumberOrName(port.targetPort, `${path}.targetPort`));
  errors.push(...validateAppProtocol(port.appProtocol, `${path}.appProtocol`));
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  if (!sessionAffinity) return [requiredValue('spec.sessionAffinity')];
  if (!affinities.includes(sessionAffinity)) {
    return [notSupportedValue('spec.sessionAffinity', sessionAffinity, affinities)];
  }
  const path = 'spec.sessionAffinityConfig';
  if (sessionAffinity === 'None') {
    if (sessionAffinityConfig === undefined) return [];
    return [forbiddenValue(path, 'must not be set when session affinity is None')];
  }
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
  if (seconds > 0 && seconds <= maxAffinitySeconds) return [];
  const detail = `must be greater than 0 and less than ${maxAffinitySeconds}`;
  return [invalidValue(`${path}.clientIP.timeoutSeconds`, seconds, detail)];
}

function externalIpErrors({ externalIPs = [] }: ServiceSpec, oldSpec: ServiceSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  for (let index = 0; index < externalIPs.length; index++) {
    const path = `spec.externalIPs[${index}]`;
    const found = validateIp(externalIPs[index]!, path, oldSpec?.externalIPs);
    errors.push(...(found.length > 0 ? found : validateNonSpecialIp(externalIPs[index]!, path)));
  }
  return errors;
}

/** A port number can be used only once per protocol. */
function portCollisions({ type, ports = [] }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  for (let index = 0; type === 'ClusterIP' && index < ports.length; index++) {
    if (!ports[index]!.nodePort) continue;
    errors.push(forbiddenValue(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  }
  const seen = new Set<string>();
  for (let index = 0; index < ports.length; index++) {
    const { protocol = '', nodePort } = ports[index]!;
    if (!nodePort) continue;
    const key = `${protocol} ${nodePort}`;
    if (seen.has(key)) errors.push(duplicateValue(`spec.ports[${index}].nodePort`, nodePort));
    seen.add(key);
  }
  seen.clear();
  for (let index = 0; index < ports.length; index++) {
    const { protocol = '', port = 0 } = ports[index]!;
    const key = `${protocol} ${port}`;
    if (seen.has(key)) {
      errors.push(duplicateValue(`spec.ports[${index}]`, internalValue(ServicePort, { protocol, port })));
    }
    seen.add(key);
  }
  return errors;
}

function externalPolicyErrors(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy: policy, healthCheckNodePort = 0 } = spec;
  const path = 'spec.externalTrafficPolicy';
  const errors: FieldError[] = [];
  if (!isExternallyAccessible(spec)) {
    if (policy) errors.push(invalidValue(path, policy, 'may only be set for externally-accessible services'));
  } else if (!policy) {
    errors.push(requiredValue(path));
  } else if (!trafficPolicies.includes(policy)) {
    errors.push(notSupportedValue(path, policy, trafficPolicies));
  }
  if (healthCheckNodePort === 0) return errors;
  const portPath = 'spec.healthCheckNodePort';
  if (needsHealthCheckNodePort(spec)) return [...errors, ...validatePortNumber(healthCheckNodePort, portPath)];
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  errors.push(invalidValue(portPath, healthCheckNodePort, detail));
  return errors;
}

function internalPolicyErrors(spec: ServiceSpec): FieldError[] {
  const { internalTrafficPolicy: policy } = spec;
  const path = 'spec.internalTrafficPolicy';
  if (policy === undefined) return needsClusterIp(spec) ? [requiredValue(path)] : [];
  return trafficPolicies.includes(policy) ? [] : [notSupportedValue(path, policy, trafficPolicies)];
}
