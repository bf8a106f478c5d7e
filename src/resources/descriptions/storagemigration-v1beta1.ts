import type { TypeTexts } from './type-texts.ts';

export const storagemigrationV1beta1: TypeTexts = {
  StorageVersionMigration: {
    '': 'Writes all objects of a resource again, so that they are stored in its current storage version.',
    spec: 'The resource. It cannot be changed.',
    status: 'Progress of the migration.',
  },
  StorageVersionMigrationSpec: {
    '': 'What is migrated.',
    resource: 'The resource.',
  },
  StorageVersionMigrationStatus: {
    '': 'Progress of a migration.',
    conditions: 'Conditions that describe the state: Running, Succeeded or Failed.',
    resourceVersion: 'Version of the list that the migration works on. Objects written later need no migration.',
  },
};
