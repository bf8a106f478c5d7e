import type { VersionConverter } from '../../registry/resource-definition.ts';

/** Strategy `None`: all versions have the same fields. */
export const noneConverter: VersionConverter = {
  isSynchronous: true,
  convert: (objects, apiVersion) =>
    objects.map((object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion })),
};
