import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

export const apiserverinternalV1alpha1: TypeTexts = {
  ServerStorageVersion: {
    '': 'In which version one API server stores a resource.',
    apiServerID: 'ID of the API server.',
    encodingVersion: 'Version in which it writes.',
    decodableVersions: 'Versions that it can read.',
    servedVersions: 'Versions that it serves. All of them can be read.',
  },
  StorageVersion: {
    '': 'In which version the API servers store a resource. Its name is `<group>.<resource>`.',
    spec: 'Empty.',
    status: 'What the servers report.',
  },
  StorageVersionCondition: {
    '': 'One aspect of the state of a storage version.',
    type: 'Name of the condition: AllEncodingVersionsEqual.',
    ...conditionTexts,
    observedGeneration: 'Generation that the condition was computed from.',
  },
  StorageVersionSpec: { '': 'Empty.' },
  StorageVersionStatus: {
    '': 'In which version the API servers store a resource.',
    storageVersions: 'What each server reports.',
    commonEncodingVersion: 'The version in which all servers write. Absent if they differ.',
    conditions: 'Conditions that describe the state.',
  },
};
