import type { ResourceObject } from '../../../meta/object.ts';
import { cidrWarnings, ipWarnings } from '../../validation/addresses.ts';
import type { ServiceSpec } from '../service-types.ts';
import { headlessIp, specOf } from './service-spec.ts';

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const modeAnnotation = 'service.kubernetes.io/topology-mode';

export function serviceWarnings(object: ResourceObject): string[] {
  const spec = specOf(object);
  const { externalIPs = [], type } = spec;
  const isHeadless = type === 'ClusterIP' && spec.clusterIP === headlessIp;
  const warnings: string[] = [];
  if (object.metadata.annotations?.[hintsAnnotation] !== undefined) {
    warnings.push(`annotation ${hintsAnnotation} is deprecated, please use ${modeAnnotation} instead`);
  }
  const hasAddress = type !== 'ExternalName' && !!spec.clusterIP && spec.clusterIP !== headlessIp;
  for (const [index, ip] of (hasAddress ? (spec.clusterIPs ?? []) : []).entries()) {
    warnings.push(...ipWarnings(`spec.clusterIPs[${index}]`, ip));
  }
  if (isHeadless) warnings.push(...headlessWarnings(spec));
  for (const [index, ip] of externalIPs.entries()) warnings.push(...ipWarnings(`spec.externalIPs[${index}]`, ip));
  if (externalIPs.length > 0 && !isHeadless && type !== 'ExternalName') {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  warnings.push(...ipWarnings('spec.loadBalancerIP', spec.loadBalancerIP ?? '', 'is invalid'));
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    warnings.push(...cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range));
  }
  return [...warnings, ...ignoredWarnings(spec)];
}

function headlessWarnings({ loadBalancerIP, externalIPs = [], sessionAffinity }: ServiceSpec): string[] {
  const ignored: string[] = [];
  if (loadBalancerIP) ignored.push('loadBalancerIP');
  if (externalIPs.length > 0) ignored.push('externalIPs');
  if (sessionAffinity !== 'None') ignored.push('SessionAffinity');
  return ignored.map((field) => `spec.${field} is ignored for headless services`);
}

function ignoredWarnings({ type, externalIPs = [], externalName, trafficDistribution }: ServiceSpec): string[] {
  const warnings: string[] = [];
  if (type === 'ExternalName' && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== 'ExternalName' && externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
