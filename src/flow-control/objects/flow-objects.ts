import type { ResourceObject } from '../../meta/object.ts';

const v1 = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' };
export const flowSchemas = { ...v1, resource: 'flowschemas' };
export const priorityLevels = { ...v1, resource: 'prioritylevelconfigurations' };

export const nameOf = ({ metadata: { name = '' } }: ResourceObject): string => name;
