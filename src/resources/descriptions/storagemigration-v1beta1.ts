import type { TypeTexts } from './type-texts.ts';

export const storagemigrationV1beta1: TypeTexts = {
  StorageVersionMigration: {
    '': 'Writes all objects of a resource again, so that they are stored in its present version.',
    spec: 'The resource. It cannot be changed.',
    status: 'How far the migration is.',
  },
  StorageVersionMigrationSpec: {
    '': 'What is migrated.',
    resource: 'The resource.',
  },
  StorageVersionMigrationStatus: {
    '': 'How far a migration is.',
    conditions: 'Aspects of the state: Running, Succeeded or Failed.',
    resourceVersion: 'Version of the list that the migration works on. Objects written later need no migration.',
  },
};
